import FleetTokens
package import Recording
import TripFeed

extension State {
    /// Shows the events of one moment of a recording or a log.
    package mutating func play(_ step: ReplayCursor.Step) -> [Effect] {
        guard !step.items.isEmpty else { return [] }
        var effects = update(.tick(step.moment))
        for item in step.items {
            switch item {
            case .feed(let event): effects += update(.feed(event))
            case .token(let event, let inspection):
                effects += update(.token(event))
                guard let inspection, case .stored = event.kind, let trip = event.context.journey else { break }
                let verdict = TokenVerdict(
                    claims: inspection.claims,
                    findings: inspection.findings
                )
                effects += update(.inspected(trip, verdict))
            case .search(let event): effects += update(.search(event))
            case .remark(let remark): effects += update(.remark(remark))
            case .side(let step): effects += update(.logged(step))
            }
        }
        return effects
    }
}
