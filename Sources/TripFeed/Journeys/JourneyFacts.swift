package import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
package import TripModel

/// What the events have shown of one journey.
///
/// A value comes from the last event that showed it. A failed poll does not change what follows from an answer.
package struct JourneyFacts: Sendable {
    /// The journey.
    package let journey: JourneyID
    /// The first poll that began; `nil` before.
    package private(set) var firstRequest: EventStamp?
    /// The first complete poll; `nil` before.
    package private(set) var firstPoll: EventStamp?
    /// The state after the last answer; `nil` before the first one.
    package private(set) var answer: Fact<TripState>?
    /// The status since the answer that has shown it first.
    package private(set) var status: Fact<JourneyStatus>?
    /// The last position of the vehicle, with the time of the device.
    package private(set) var position: Fact<VehicleLocation>?
    /// Why the last poll failed; `nil` if it was answered.
    package private(set) var failure: Fact<Failure>?
    /// The number of failed polls since the last answer.
    private(set) var failures = 0
    /// The failed polls since the last answer; `nil` if the last poll was answered.
    package private(set) var outage: Outage?
    /// Why the position is stale, since the poll that has shown it; `nil` if it is not.
    package internal(set) var staleness: Fact<PositionAge.Reason>?
    /// When a vehicle reported last that answers have shown to be silent since then; `nil` if they have not.
    var silentSince: Date?
    /// The complete polls, without those that an injected fault prevented from being sent.
    package private(set) var polls = CallCounts()
    /// The number of polls that an injected fault prevented from being sent.
    private(set) var heldBackPolls = 0
    /// The findings.
    package private(set) var findings = FindingCounts()
    /// The last schedule.
    package private(set) var schedule: Fact<PollSchedule>?
    /// When the next poll was planned by the last complete poll or command, on the steady clock; `nil` before the first poll.
    private(set) var planned: Duration?
    /// The estimates that were notable last.
    var estimates: [Arrivals.Place: Date] = [:]
    /// How near the vehicle has come to each stop.
    var reached: [Arrivals.Place: Approach.Reached] = [:]
    /// The stops before the next own stop at the last answer; `nil` if unknown.
    package internal(set) var stopsAhead: StopsAhead?
    /// The smallest number of stops before each own stop.
    var fewestStops: [Arrivals.Place: Int] = [:]
    /// What is known about the token.
    package private(set) var token = TokenFacts()

    /// The minimum shift of a notable estimate in seconds.
    package static let notableShift = 45.0
    /// The minimum shift of a notable estimate as a share of the remaining time, because distant estimates fluctuate.
    package static let notableShare = 0.05

    /// Whether the journey is or was polled.
    private var isAsked: Bool { firstRequest != nil || firstPoll != nil }

    /// Whether the first poll is in progress.
    package var isStarting: Bool { firstRequest != nil && firstPoll == nil }

    // MARK: Events

    /// Records an event; returns what it has changed, in the order of the notices about it.
    mutating func apply(_ event: FeedEvent, _ stamp: EventStamp, _ clocks: inout ClockFacts) -> [JourneyChange.Kind] {
        switch event {
        case .polling(_, let schedule):
            let start: [JourneyChange.Kind] = isAsked ? [] : [.began]
            firstRequest = firstRequest ?? stamp
            return start + apply(schedule, stamp)
        case .polled(let report, let state, let schedule):
            var changes: [JourneyChange.Kind] = isAsked ? [] : [.began]
            changes.append(.polled(planned: planned))
            changes += apply(report, stamp)
            firstPoll = firstPoll ?? stamp
            let arrivals = report.failure == nil ? Arrivals(of: state) : nil
            if let arrivals {
                changes += applySilence(of: state, schedule, stamp)
                changes += apply(state, arrivals, stamp)
                if report.serverDate != nil { changes += clocks.apply(state) }
            }
            changes += applyAge(of: state, schedule, stamp)
            if let arrivals {
                applyStops(before: arrivals.next, of: state)
                changes += applyApproach(to: arrivals.next, of: state, at: stamp.received)
            }
            planned = schedule.next
            return changes + apply(schedule, stamp)
        case .scheduled(_, let schedule):
            if isAsked { planned = schedule.next }
            return apply(schedule, stamp)
        case .found(_, let new):
            findings.add(new)
            return [.findings(new)]
        case .omitted(_, let omission):
            failures += omission.failureCount
            polls.add(omission)
            return [.omission(omission)]
        case .driver(_, let call):
            token.apply(call, stamp)
            return []
        case .ended(_, let end): return [.ended(end)]
        }
    }

    /// Records an event of the token.
    mutating func apply(_ event: TokenEvent, _ stamp: EventStamp) -> [JourneyChange.Kind] {
        let before = token
        return token.apply(event, stamp) ? [.token(event, before: before)] : []
    }

    // MARK: Polls

    private mutating func apply(_ report: PollReport, _ stamp: EventStamp) -> [JourneyChange.Kind] {
        let before = failure?.value
        token.apply(report, stamp)
        if report.failure?.isHeldBack == true { heldBackPolls += 1 } else { polls.add(report.failure) }
        guard let new = report.failure else {
            defer { (failure, failures, outage) = (nil, 0, nil) }
            return before.map { [.recovery(from: $0, count: failures, hadAnswer: answer != nil)] } ?? []
        }
        failures += 1
        if outage == nil { outage = Outage(since: stamp.received) } else { outage?.goOn(at: stamp.received) }
        failure = Fact(new, stamp)
        // A failure of the service differs from the same failure by an injected fault.
        let isSame = before?.nameInJSON == new.nameInJSON && before?.injected == new.injected
        return isSame ? [] : [.failure(new, before: before)]
    }

    private mutating func apply(_ schedule: PollSchedule, _ stamp: EventStamp) -> [JourneyChange.Kind] {
        let before = self.schedule?.value
        self.schedule = Fact(schedule, stamp)
        let isPaused = schedule.isPaused != (before?.isPaused ?? false)
        let isClamped = schedule.clampedFrom != nil && schedule.clampedFrom != before?.clampedFrom
        let isOther = before.map { $0.interval != schedule.interval } ?? false
        return isPaused || isClamped || isOther ? [.schedule(schedule, before: before)] : []
    }

    // MARK: Answers

    private mutating func apply(
        _ state: TripState,
        _ arrivals: Arrivals,
        _ stamp: EventStamp
    ) -> [JourneyChange.Kind] {
        let before = answer?.value
        answer = Fact(state, stamp)
        guard let trip = state.journey else { return [.answered(state, before: before)] }
        if let location = trip.lastLocation, location != before?.journey?.lastLocation {
            position = Fact(
                location,
                stamp,
                measured: location.measuredTime,
                latest: state.serviceTime(stamp.received)
            )
        }
        var changes: [JourneyChange.Kind] = []
        let isNew = status?.value != trip.status
        if isNew {
            changes.append(.status(trip.status, before: status?.value))
            status = Fact(trip.status, stamp)
        } else if let before = before?.journey, trip.isAhead(of: before) {
            changes.append(.tour)
        }
        changes += applyEstimates(of: arrivals.all, isAnnounced: !changes.isEmpty, at: stamp.received.wall)
        if let before = before?.journey {
            if let old = before.vehicleID, let new = trip.vehicleID, old != new {
                changes.append(.vehicle(new, before: old))
            }
            let plan = trip.changedPlan(since: before)
            if !plan.isEmpty { changes.append(.plan(plan)) }
        }
        changes.append(.answered(state, before: before))
        return changes
    }
}

extension Journey {
    /// Returns whether the way of the vehicle went on since an answer with the same status.
    fileprivate func isAhead(of before: Journey) -> Bool {
        (status == .trip(.new) && vehicleID != before.vehicleID) || isOnTour != before.isOnTour
            || isAtOwnStop != before.isAtOwnStop
            || shipment?.remainingStopCount != before.shipment?.remainingStopCount
    }

    /// Returns the parts of the plan that differ; that a vehicle was assigned or a stop was reached is no change of it.
    fileprivate func changedPlan(since before: Journey) -> [TripField] {
        status.isTerminal ? [] : TripFieldRow.planChanges(from: before, to: self)
    }
}
