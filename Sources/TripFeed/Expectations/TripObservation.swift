package import Failures
import FleetTokens
import FleetWire
import Foundation
package import Runtime
package import TripModel

/// A rider's view of a trip: the data that conditions are checked against.
///
/// It reads what a ``JourneyTable`` knows, and adds what only conditions need.
package struct TripObservation: Sendable {
    /// What the events have shown of the trip; after its end, what they had shown until then; `nil` before the first one.
    private(set) var facts: JourneyFacts?
    /// The calls of the rider in a log.
    private var riderCalls = CallCounts()
    /// Why the last call of the rider in a log failed; `nil` if it did not.
    private var riderFailure: Failure?
    /// The latencies of the requests that were answered.
    private(set) var latencies = LatencyRecord()
    /// The size of the last answer in bytes; `nil` without one.
    private(set) var bytes: Int?
    /// By how many seconds the last answer moved the estimated drop-off; `nil` without two estimates.
    private(set) var slip: Double?
    private var dropoff: Date?
    /// The fields of the trip as JSON; `nil` if no condition needs them.
    private(set) var fields: JSONValue?
    /// The names of the findings that count.
    var findings: Set<String> = []

    private let needsFields: Bool
    /// Whether the events come from a service's log, whose requests this program did not send.
    let isOfLog: Bool

    /// Creates an observation without data.
    ///
    /// - Parameters:
    ///   - needsFields: Whether a condition is about a field of the trip.
    ///   - isOfLog: Whether the events come from a service's log, whose requests this program did not send.
    package init(needsFields: Bool = false, isOfLog: Bool = false) {
        (self.needsFields, self.isOfLog) = (needsFields, isOfLog)
    }

    /// The state after the last answer; `nil` before the first one.
    var state: TripState? { facts?.answer?.value }

    /// The status of the token; `nil` if nothing is known about it.
    var token: TokenStatus? { facts?.token.status?.value }

    /// The failure of the last poll with the status of the token that explains it; `nil` if it was answered.
    var cause: ExpectationResult.Cause? {
        failure.map { .init(failure: $0, token: facts?.token.status(explaining: $0)) }
    }

    /// Whether a poll is complete.
    private var isPolled: Bool { facts?.firstPoll != nil }

    /// The number of polls so far; of a log, of the events that changed the trip.
    package var polls: Int { facts.map { $0.polls.total + $0.heldBackPolls } ?? 0 }

    /// The rider's calls so far: ours, or those in a log.
    ///
    /// `nil` for a log without any: the log may have been exported without the rider's calls, and never has any for shipments.
    ///
    /// A request that an injected fault prevented from being sent is not a call.
    var calls: CallCounts? { isOfLog ? (riderCalls.total > 0 ? riderCalls : nil) : facts?.polls }

    /// Why the rider's last call failed; `nil` if it did not.
    package var failure: Failure? { isOfLog ? riderFailure : facts?.failure?.value }

    /// Takes an event of the trip and the facts after it; returns whether the conditions may have changed.
    package mutating func handle(_ event: FeedEvent, _ table: JourneyTable) -> Bool {
        facts = table[event.journey]
        switch event {
        case .polled(let report, let state, _): handle(report, state)
        case .found: break
        case .polling, .scheduled, .omitted, .driver, .ended: return false
        }
        return true
    }

    /// Takes the facts after an event of the trip's token, which count from the next poll on.
    mutating func handle(_ facts: JourneyFacts) { self.facts = facts }

    private mutating func handle(_ report: PollReport, _ state: TripState) {
        if !isOfLog, report.failure?.isHeldBack != true {
            bytes = report.answer?.bytes
            if report.answer != nil, let latency = report.serviceLatency { latencies.add(latency.seconds) }
        }
        guard report.failure == nil else { return }
        let estimate = state.journey?.dropoffTime
        slip = estimate.flatMap { new in dropoff.map { new.timeIntervalSince($0) } }
        dropoff = estimate ?? dropoff
        // Bytes of our own encoder are JSON.
        if needsFields { fields = state.journey?.trip.flatMap { JSONValue(TripCoding.encode($0)) } }
    }

    /// Takes a call of the rider in a log; `error` is the answer of the service if it refused it.
    mutating func handleCall(refused error: ServiceAnswer?) {
        riderFailure = error.map { .service($0, retryAfter: nil) }
        riderCalls.add(riderFailure)
    }

    /// Returns the conditions that do not hold now, each with the observed value.
    package func unmet(_ wanted: ExpectedConditions, at now: Moment) -> [UnmetCondition] {
        guard isPolled || riderCalls.total > 0 else { return [.unknownTrip] }
        var unmet: [UnmetCondition] = []
        let status = state?.journey?.status
        if !wanted.statuses.isEmpty, status.map(wanted.statuses.contains) != true {
            unmet.append(.status(status, expected: wanted.statuses))
        }
        if let goal = wanted.reached, state?.hasReached(goal) != true {
            unmet.append(.notReached(status, expected: goal))
        }
        if !wanted.order.isEmpty {
            let seen = state?.order(of: wanted.order) ?? []
            if seen != wanted.order { unmet.append(.order(seen, expected: wanted.order)) }
        }
        if let finding = wanted.finding, !findings.contains(finding) { unmet.append(.finding(finding)) }
        if let isFailing = wanted.isFailing {
            if !has(.calls) {
                unmet.append(.noCalls)
            } else if (failure != nil) != isFailing {
                unmet.append(.failing(expected: isFailing))
            }
        }
        for check in wanted.checks where !holds(check, at: now) {
            let isOfCalls = check.source == .calls
            let value = isHidden(check) ? nil : value(of: check, at: now)
            unmet.append(isOfCalls && !has(.calls) ? .noCalls : .check(check, value))
        }
        return unmet
    }

    /// Returns whether something was seen of what a condition is about: only then its absence means anything.
    func has(_ source: MeasureForm.Source) -> Bool {
        switch source {
        case .answer: state?.journey != nil
        case .calls: isOfLog ? riderCalls.total > 0 : isPolled
        case .latency: latencies.last != nil
        case .size: bytes != nil
        case .token: token != nil
        }
    }

    /// Returns whether a comparison is true for what was seen.
    private func holds(_ check: MeasureCheck, at now: Moment) -> Bool {
        has(check.source) && !isHidden(check) && check.holds(for: value(of: check, at: now))
    }

    /// Returns the value that a comparison is about; `nil` if it is unknown.
    package func value(of check: MeasureCheck, at now: Moment) -> MeasuredValue? {
        guard has(check.source) else { return nil }
        return Measure.values[check.measure]?(self, check.argument, now)
    }

    /// Returns whether an outage hides if a comparison of a delay holds: the vehicle has arrived, and may have been earlier.
    ///
    /// If the vehicle is seen before the promised time, its delay is at most the delay at that moment.
    func isHidden(_ check: MeasureCheck) -> Bool {
        let (arrival, most): (TripMilestones.Milestone?, Double?)
        switch check.measure {
        case "delay": (arrival, most) = (state?.milestones.finalArrival, state?.dropoffDelay)
        case "pickup-delay": (arrival, most) = (state?.milestones.pickupArrival, state?.pickupDelay)
        default: return false
        }
        guard arrival?.mayBeEarlier == true else { return false }
        guard let most, case .number(let expected) = check.expected else { return true }
        return switch check.relation {
        case .less, .atMost: !check.holds(for: .number(most))
        case .more, .atLeast: check.holds(for: .number(most))
        case .equal, .unequal: expected <= most
        }
    }

    /// Returns whether an outage hides if a condition holds.
    func isHidden(_ condition: UnmetCondition) -> Bool {
        if case .check(let check, _) = condition { isHidden(check) } else { false }
    }

    /// Returns whether enough was seen to know that an occasion has not come.
    func isKnown(_ occasion: Occasion) -> Bool {
        switch occasion {
        case .status: has(.answer)
        case .check(let check): has(check.source) && !isHidden(check)
        }
    }

    /// Returns whether an occasion has come.
    func hasCome(_ occasion: Occasion, at now: Moment) -> Bool {
        switch occasion {
        case .status(let status): state?.hasReached(status) == true
        case .check(let check): holds(check, at: now)
        }
    }
}

extension TripState {
    /// Returns whether the trip has or had a status; polls may miss short statuses.
    package func hasReached(_ status: JourneyStatus) -> Bool {
        statuses.contains { $0.status.hasReached(status) }
    }

    /// Returns the statuses of a list that were seen, in the order in which they first appeared.
    func order(of wanted: [JourneyStatus]) -> [JourneyStatus] {
        var seen: [JourneyStatus] = []
        for change in statuses where wanted.contains(change.status) && !seen.contains(change.status) {
            seen.append(change.status)
        }
        return seen
    }

    /// The delay of the drop-off compared with its first estimate, in seconds; `nil` if it is unknown.
    package var dropoffDelay: Double? {
        Self.delay(milestones.finalArrival, expected: journey?.dropoffTime, dropoffEstimates)
    }

    /// The delay of the arrival at the pickup compared with its first estimate, in seconds; `nil` if it is unknown.
    var pickupDelay: Double? { Self.delay(milestones.pickupArrival, expected: journey?.pickupTime, pickupEstimates) }

    /// Returns the delay of an arrival, or of the estimate before it.
    private static func delay(
        _ arrival: TripMilestones.Milestone?,
        expected: Date?,
        _ estimates: SharedArray<Arrival>
    ) -> Double? {
        guard let promised = estimates.first?.time else { return nil }
        return if let arrival { arrival.delay(against: promised) } else { expected?.timeIntervalSince(promised) }
    }
}
