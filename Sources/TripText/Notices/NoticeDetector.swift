import Failures
import Foundation
package import Runtime
package import TripFeed
import TripModel

/// Finds in the events of trips what a person wants to be told of.
///
/// The state at the first answer is no change. A state that lasts is noticed once, and again after it was over.
package struct NoticeDetector: Sendable {
    private struct Known: Sendable {
        var trip: Journey?
        var isLost = false
        var isFailing = false
        /// Whether an injected fault explains that polls fail, so that another failure is a new one.
        var isInjected = false
        /// The stops that were noticed, by the number of minutes.
        var arrivals: [Double: Set<Arrivals.Place>] = [:]
        var late: [Double: Set<Arrivals.Place>] = [:]
    }

    private let arrivalMinutes: [Double]
    private let lateMinutes: [Double]
    private var known: [JourneyID: Known] = [:]

    /// Creates a detector; arrivals and delays are noticed for the minutes of these triggers.
    package init(_ triggers: some Sequence<NoticeTrigger> = []) {
        let all = Set(triggers)
        arrivalMinutes = all.filter { $0.kind == .arrival }.map(\.minutes).sorted(by: >)
        lateMinutes = all.filter { $0.kind == .late }.map(\.minutes).sorted()
    }

    /// Returns the notices of an event in the order of their importance.
    package mutating func handle(_ event: FeedEvent, at now: Moment) -> [Notice] {
        var known = self.known[event.trip] ?? Known()
        var isOver = false
        defer { self.known[event.trip] = isOver ? nil : known }
        switch event {
        case .polling, .scheduled, .omitted, .driver: return []
        case .found(let trip, let findings):
            return findings.map { Notice(time: now, trip: trip, state: nil, content: .finding($0)) }
        case .polled(let report, let state, let schedule):
            let contents = changes(of: state, report, schedule, in: &known)
            return contents.map { Notice(time: report.finished, trip: report.trip, state: state, content: $0) }
        case .ended(let trip, let end):
            isOver = true
            return [Notice(time: now, trip: trip, state: nil, content: .end(end))]
        }
    }

    private func changes(
        of state: TripState,
        _ report: PollReport,
        _ schedule: PollSchedule,
        in known: inout Known
    ) -> [Notice.Content] {
        var found: [Notice.Content] = []
        if let failure = report.failure {
            let isInjected = failure.injected != nil
            if !known.isFailing || known.isInjected && !isInjected { found.append(.failure(failure)) }
            (known.isFailing, known.isInjected) = (true, isInjected)
        } else {
            if known.isFailing { found.append(.recovered) }
            known.isFailing = false
        }
        if let trip = state.journey {
            if let before = known.trip {
                if before.status != trip.status { found.append(.status(trip.status, after: before.status)) }
                let changed = Self.plan(before, trip)
                if !changed.isEmpty { found.append(.plan(changed)) }
            }
            known.trip = trip
        }
        let age = PositionAge(state: state, schedule: schedule, at: report.finished)
        if let age, age.isLost, !known.isLost {
            found.append(.stale(age))
        } else if known.isLost, !(age?.isLost ?? false) {
            found.append(.fresh)
        }
        known.isLost = age?.isLost ?? false
        if report.failure == nil { found += arrivals(of: state, at: report.finished, in: &known) }
        return found
    }

    private func arrivals(of state: TripState, at now: Moment, in known: inout Known) -> [Notice.Content] {
        guard let next = Arrivals(of: state).next, next.here == nil, next.done == nil, let time = next.expected else {
            return []
        }
        var found: [Notice.Content] = []
        let left = time.timeIntervalSince(state.serviceTime(now))
        for minutes in arrivalMinutes where left <= minutes * 60 {
            if known.arrivals[minutes, default: []].insert(next.place).inserted {
                found.append(.arrival(next, minutes: minutes))
            }
        }
        guard let delay = next.delay?.seconds else { return found }
        for minutes in lateMinutes {
            if delay < minutes * 60 {
                known.late[minutes]?.remove(next.place)
            } else if known.late[minutes, default: []].insert(next.place).inserted {
                found.append(.late(next, minutes: minutes))
            }
        }
        return found
    }

    /// Returns the parts of the plan that differ; that a vehicle was assigned or a stop was reached is no change of it.
    private static func plan(_ before: Journey, _ trip: Journey) -> [TripField] {
        guard !trip.status.isTerminal else { return [] }
        let checks: [(TripField, Bool)] = [
            (.vehicleId, before.vehicleID != nil && before.vehicleID != trip.vehicleID),
            (.tripType, before.type != nil && trip.type != nil && before.type != trip.type),
            (.pickupPoint, before.pickup != trip.pickup), (.dropoffPoint, before.dropoff != trip.dropoff),
            (.numberOfPassengers, before.passengers != trip.passengers),
            (.intermediateDestinations, before.intermediateDestinations != trip.intermediateDestinations),
            (
                .targetTimeWindow,
                before.shipment?.targetTimeWindow != nil
                    && before.shipment?.targetTimeWindow != trip.shipment?.targetTimeWindow
            ),
        ]
        return checks.filter(\.1).map(\.0)
    }
}

extension PositionAge {
    /// Whether the vehicle's position is no longer known.
    package var isLost: Bool {
        switch reason {
        case .pollingFails, .cached, .serverUnchanged, .driverSilent: true
        case .paused, .deliveredLate, .clocksDiffer, nil: false
        }
    }
}
