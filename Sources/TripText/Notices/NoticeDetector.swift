import Failures
package import TripFeed
import TripModel

/// Finds in the changes of journeys what a person wants to be notified of; without a memory of its own.
///
/// The state at the first answer is no change. A state that lasts is noticed once, and again after it was over.
package struct NoticeDetector: Sendable {
    private let arrivalMinutes: [Double]
    private let pickupMinutes: [Double]
    private let dropoffMinutes: [Double]
    private let lateMinutes: [Double]
    private let stops: [Double]
    private let outageSeconds: [Double]
    private let rules: Set<FindingRule>
    private let hasWindow: Bool

    /// Creates a detector; what needs a number or a rule is noticed for those of these triggers.
    package init(_ triggers: some Sequence<NoticeTrigger> = []) {
        let all = Set(triggers)
        func numbers(_ kind: Notice.Kind) -> [Double] { all.filter { $0.kind == kind }.compactMap(\.number).sorted() }
        arrivalMinutes = numbers(.arrival).reversed()
        pickupMinutes = numbers(.pickup).reversed()
        dropoffMinutes = numbers(.dropoff).reversed()
        lateMinutes = numbers(.late)
        stops = numbers(.stops).reversed()
        outageSeconds = numbers(.failing)
        rules = Set(all.compactMap { if case .rule(let rule) = $0.value { rule } else { nil } })
        hasWindow = all.contains { $0.kind == .window }
    }

    /// Returns the notices about what an event has changed, in the order of their importance; `table` has the facts after it.
    package func notices(of changes: [JourneyChange], _ table: JourneyTable) -> [Notice] {
        changes.flatMap { change in
            let facts = table[change.journey]
            return contents(of: change, facts).map { content in
                Notice(
                    time: change.at,
                    journey: change.journey,
                    state: content.isOfPoll ? facts?.answer?.value : nil,
                    token: content.failure.flatMap { facts?.token.status(explaining: $0) },
                    content: content
                )
            }
        }
    }

    private func contents(of change: JourneyChange, _ facts: JourneyFacts?) -> [Notice.Content] {
        switch change.kind {
        case .polled:
            guard let outage = facts?.outage, let failure = facts?.failure?.value else { return [] }
            return outageSeconds.filter { outage.reaches(.seconds($0)) }
                .map { .failing(failure, outage, seconds: $0) }
        case .answered(let state, let before): return contents(of: state, before, facts?.stopsAhead)
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
                + contents(at: approach.arrival, within: approach.comesWithin)
                + lateMinutes.filter(approach.becomesLate).map { .late(approach.arrival, minutes: $0) }
        case .findings(let findings):
            return findings.flatMap { finding -> [Notice.Content] in
                [.finding(finding)] + (rules.contains(finding.rule) ? [.found(finding)] : [])
            }
        case .ended(let end): return [.end(end)]
        default: return []
        }
    }

    /// Returns the contents about the arrival at a certain kind of stop.
    private func contents(
        at arrival: Arrivals.Arrival,
        within isWithin: (_ minutes: Double) -> Bool
    ) -> [Notice.Content] {
        switch arrival.kind {
        case .pickup: pickupMinutes.filter(isWithin).map { .pickup(arrival, minutes: $0) }
        case .dropoff: dropoffMinutes.filter(isWithin).map { .dropoff(arrival, minutes: $0) }
        case .intermediateDestination, .unrecognized: []
        }
    }

    private func contents(
        of state: TripState,
        _ before: TripState?,
        _ ahead: StopsAhead?
    ) -> [Notice.Content] {
        var contents: [Notice.Content] = []
        if hasWindow, let shipment = state.journey?.shipment, let new = shipment.targetTimeWindow,
            let old = before?.journey?.shipment?.targetTimeWindow, new != old, state.journey?.status.isTerminal == false
        {
            contents.append(.window(new, before: old))
        }
        guard let ahead else { return contents }
        return contents + stops.filter { ahead.fallsTo(Int($0)) }.map { .stops(ahead, most: $0) }
    }
}

extension Notice.Content {
    /// Why polls fail, or why the trip is no longer followed; `nil` for other contents.
    fileprivate var failure: Failure? {
        switch self {
        case .failure(let failure), .failing(let failure, _, _), .end(.failed(let failure)): failure
        default: nil
        }
    }

    /// Whether it is about a poll, so that the state after it is known.
    fileprivate var isOfPoll: Bool {
        switch self {
        case .status, .arrival, .pickup, .dropoff, .late, .stops, .window, .stale, .fresh, .failure, .failing,
            .recovered, .plan:
            true
        case .finding, .found, .end: false
        }
    }
}
