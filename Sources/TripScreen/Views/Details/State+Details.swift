import TripFeed
import TripText

/// The panel with details of the shown trip: its receipt, what failed, or the evidence for what is said.
extension State {
    /// Shows details.
    mutating func show(details: Focus.Details) { show(overlay: .details(details, row: 0)) }

    /// What the key for failures opens: the failure, or the evidence of the sentences while there is none to show.
    ///
    var explained: Focus.Details {
        guard hasEvidence else { return .failure }
        return shown { $0.lastFailure.map(view.panel.explains) } ?? false ? .failure : .evidence
    }

    /// Whether there are sentences about the shown trip that have evidence.
    var hasEvidence: Bool {
        shown {
            $0.shown?.status != nil || $0.token != nil || $0.sides != nil || $0.lastFailure != nil
                || !$0.claims(at: now).all.isEmpty
        } ?? false
    }
}
