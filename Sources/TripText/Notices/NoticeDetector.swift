import Failures
package import TripFeed

/// Finds in the changes of journeys what a person wants to be notified of; without a memory of its own.
///
/// The state at the first answer is no change. A state that lasts is noticed once, and again after it was over.
package struct NoticeDetector: Sendable {
    private let arrivalMinutes: [Double]
    private let lateMinutes: [Double]

    /// Creates a detector; arrivals and delays are noticed for the minutes of these triggers.
    package init(_ triggers: some Sequence<NoticeTrigger> = []) {
        let all = Set(triggers)
        arrivalMinutes = all.filter { $0.kind == .arrival }.map(\.minutes).sorted(by: >)
        lateMinutes = all.filter { $0.kind == .late }.map(\.minutes).sorted()
    }

    /// Returns the notices about what an event has changed, in the order of their importance; `table` has the facts after it.
    package func notices(of changes: [JourneyChange], _ table: JourneyTable) -> [Notice] {
        changes.flatMap { change in
            contents(of: change).map { content in
                let facts = table[change.journey]
                return Notice(
                    time: change.at,
                    journey: change.journey,
                    state: content.isOfPoll ? facts?.answer?.value : nil,
                    token: content.failure.flatMap { facts?.token.status(explaining: $0) },
                    content: content
                )
            }
        }
    }

    private func contents(of change: JourneyChange) -> [Notice.Content] {
        switch change.kind {
        case .failure(let failure, let before):
            // A failure of the service differs from the failure by an injected fault.
            let isNew = before.map { $0.injected != nil && failure.injected == nil } ?? true
            return isNew ? [.failure(failure)] : []
        case .recovery: return [.recovered]
        case .status(let status, let before): return before.map { [.status(status, after: $0)] } ?? []
        case .plan(let fields): return [.plan(fields)]
        case .positionAge(let age, let before):
            let (isLost, wasLost) = (age?.reason?.isLoss ?? false, before?.isLoss ?? false)
            if let age, isLost, !wasLost { return [.stale(age)] }
            return []
        case .reportsAgain: return [.fresh]
        case .approach(let approach):
            return arrivalMinutes.filter(approach.comesWithin).map { .arrival(approach.arrival, minutes: $0) }
                + lateMinutes.filter(approach.becomesLate).map { .late(approach.arrival, minutes: $0) }
        case .findings(let findings): return findings.map { .finding($0) }
        case .ended(let end): return [.end(end)]
        default: return []
        }
    }
}

extension Notice.Content {
    /// Why polls began to fail, or why the trip is no longer followed; `nil` for other contents.
    fileprivate var failure: Failure? {
        switch self {
        case .failure(let failure), .end(.failed(let failure)): failure
        default: nil
        }
    }

    /// Whether it is about a poll, so that the state after it is known.
    fileprivate var isOfPoll: Bool {
        switch self {
        case .status, .arrival, .late, .stale, .fresh, .failure, .recovered, .plan: true
        case .finding, .end: false
        }
    }
}
