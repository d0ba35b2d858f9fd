import Foundation
package import TripModel

/// A rider's view of a trip: the data that conditions are checked against.
package struct TripObservation: Sendable {
    /// The state after the last poll; `nil` before the first.
    package var state: TripState?
    /// Whether the last poll failed.
    package var isFailing = false
    /// The number of polls so far.
    package private(set) var polls = 0
    /// The names of the reported findings.
    package var findings: Set<String> = []

    /// Creates an observation without data.
    package init() {}

    /// Processes an event of the trip; returns whether the conditions may have changed.
    package mutating func take(_ event: FeedEvent) -> Bool {
        switch event {
        case .polled(let report, let state, _):
            self.state = state
            isFailing = report.failure != nil
            polls += 1
        case .found(_, let new): findings.formUnion(new.map(\.rule.id))
        case .polling, .scheduled, .omitted, .ended: return false
        }
        return true
    }

    /// Returns the conditions that do not hold now, each with the observed value.
    package func unmet(_ wanted: ExpectedConditions, at now: Moment) -> [UnmetCondition] {
        guard let state else { return [.unknownTrip] }
        var unmet: [UnmetCondition] = []
        func check(_ wanted: Double?, _ actual: Double?, _ condition: (Double?, Double) -> UnmetCondition) {
            guard let wanted, actual.map({ $0 < wanted }) ?? true else { return }
            unmet.append(condition(actual, wanted))
        }
        let status = state.trip?.status
        if !wanted.statuses.isEmpty, status.map(wanted.statuses.contains) != true {
            unmet.append(.status(status, expected: wanted.statuses))
        }
        if let goal = wanted.reached, !state.hasReached(goal) {
            unmet.append(.notReached(status, expected: goal))
        }
        check(wanted.overdue, state.overdue(at: now)?.seconds) { .overdue($0, expected: $1) }
        check(wanted.positionAge, state.receivedAge(at: now)?.seconds) { .positionAge($0, expected: $1) }
        if let bounds = wanted.delay {
            let delay = state.dropoffDelay
            if delay.map(bounds.contains) != true { unmet.append(.delay(delay, expected: bounds)) }
        }
        if let finding = wanted.finding, !findings.contains(finding) { unmet.append(.finding(finding)) }
        if let others = wanted.othersAhead, state.foreignWaypointsAhead < others {
            unmet.append(.othersAhead(state.foreignWaypointsAhead, expected: others))
        }
        if let isFailing = wanted.isFailing, self.isFailing != isFailing {
            unmet.append(.failing(expected: isFailing))
        }
        return unmet
    }
}

extension TripState {
    /// Returns whether the trip has or had a status; polls may miss short statuses.
    package func hasReached(_ status: TripStatus) -> Bool {
        statuses.contains { $0.status.hasReached(status) }
    }

    /// The delay of the drop-off compared with its first estimate, in seconds; `nil` if one of them is unknown.
    package var dropoffDelay: Double? {
        guard let promised = dropoffEstimates.first?.time,
            let time = milestones.dropoff?.known ?? trip?.dropoffTime
        else { return nil }
        return time.timeIntervalSince(promised)
    }
}
