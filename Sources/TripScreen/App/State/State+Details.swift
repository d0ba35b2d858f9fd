import TripFeed
import TripText

/// The panel with details of the shown trip: its receipt, what failed, or the evidence for what is said.
extension State {
    /// Shows details.
    mutating func show(details: Focus.Details) { show(overlay: .details(details, row: 0)) }

    /// What the key for failures opens: in the Trip view the evidence of its sentences while nothing fails.
    var explained: Focus.Details {
        guard view == .trip, hasEvidence, shown({ $0.lastFailure.map { $0.end != nil } ?? true }) ?? false else {
            return .failure
        }
        return .evidence
    }

    /// Whether there are sentences about the shown trip that have evidence.
    var hasEvidence: Bool { shown { $0.shown?.status != nil || !$0.claims(at: now).all.isEmpty } ?? false }

    /// Scrolls the panel down, or up with a negative number.
    mutating func scrollDetails(by rows: Int) {
        guard case .details(let details, let row) = overlay else { return }
        let last = DetailsPanel(details, of: self)?.lastRow ?? 0
        show(overlay: .details(details, row: max(0, min(row + rows, last))))
    }

    /// Processes a key while the panel is open; returns `false` for a key that closes it and has its usual effect.
    mutating func scrollOrCloseDetails(_ details: Focus.Details, _ key: Key) -> Bool {
        let rows = Self.rows(key, page: page)
        if rows != 0 {
            scrollDetails(by: rows)
            return true
        }
        show(overlay: nil)
        let commands: [KeyBinding.Command] = details == .evidence ? [.evidence, .failure] : [details.command]
        return key == .escape || settings.keys.contains { commands.contains($0.command) && $0.keys.contains(key) }
    }
}

extension Focus.Details {
    /// The command that opens and closes it.
    fileprivate var command: KeyBinding.Command {
        switch self {
        case .receipt: .receipt
        case .failure: .failure
        case .evidence: .evidence
        case .call: .openCall
        }
    }
}
