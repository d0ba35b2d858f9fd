import FleetTokens
package import Recording
import TripFeed

extension State {
    /// Shows the events of one moment of a recording or a log.
    package mutating func play(_ step: ReplayCursor.Step) -> [Effect] {
        guard !step.items.isEmpty else { return [] }
        var effects = update(.tick(step.moment))
        for item in step.items {
            if let event = item.received { effects += update(Message(event)) }
            switch item {
            case .token(let event, let inspection?):
                guard case .stored = event.kind, let trip = event.context.journey else { break }
                let verdict = TokenVerdict(
                    claims: inspection.claims,
                    findings: inspection.findings
                )
                effects += update(.inspected(trip, verdict))
            case .remark(let remark): effects += update(.remark(remark))
            case .side(let step): effects += update(.logged(step))
            default: break
            }
        }
        return effects
    }
}
