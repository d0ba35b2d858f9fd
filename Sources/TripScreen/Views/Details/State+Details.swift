import TripFeed
import TripText

/// The panel with details of the shown trip: its receipt, what failed, or the evidence for what is said.
extension State {
    /// Shows details.
    mutating func show(details: Focus.Details) { show(overlay: .details(details, row: 0)) }

    /// What the key for failures opens: the failure, or the evidence of the sentences while there is none to show.
    ///
    /// The Trip view is about the present; Token and Log also show a failure that is over, and Findings has none.
    var explained: Focus.Details {
        guard hasEvidence else { return .failure }
        let isFailure =
            switch view {
            case .findings: false
            case .trip: shown { $0.lastFailure.map { $0.end == nil } } ?? false
            default: shown { $0.lastFailure != nil } ?? false
            }
        return isFailure ? .failure : .evidence
    }

    /// Whether there are sentences about the shown trip that have evidence.
    var hasEvidence: Bool {
        shown {
            $0.shown?.status != nil || $0.token != nil || $0.sides != nil || $0.lastFailure != nil
                || !$0.claims(at: now).all.isEmpty
        } ?? false
    }

    /// Scrolls the panel down, or up with a negative number.
    mutating func scrollDetails(by rows: Int) {
        guard case .details(let details, let row) = overlay else { return }
        let last = DetailsPanel(details, of: self)?.lastRow ?? 0
        show(overlay: .details(details, row: max(0, min(row + rows, last))))
    }

    /// Processes a key while the panel is open; returns `false` for a key that closes it and has its usual effect.
    mutating func scrollOrCloseDetails(_ details: Focus.Details, _ key: Key) -> Bool {
        let rows = key.rows(page: page)
        if rows != 0 {
            scrollDetails(by: rows)
            return true
        }
        if key == .enter, let call = chosenEvidence {
            open(call: call)
            return true
        }
        show(overlay: nil)
        let commands = details.commands
        // The receipt is explained as every other text.
        if details == .receipt, settings.keys.contains(where: { $0.command == .evidence && $0.keys.contains(key) }) {
            show(details: .receiptEvidence)
            return true
        }
        return key == .escape || settings.keys.contains { commands.contains($0.command) && $0.keys.contains(key) }
    }

    /// The number of the call to which the evidence leads at the cursor; `nil` if there is none.
    private var chosenEvidence: Int? {
        guard views.contains(.network), case .details(let details, let row) = overlay else { return nil }
        return DetailsPanel(details, of: self)?.call(at: row)
    }

    /// Opens a call in the Network view.
    private mutating func open(call: Int) {
        show(.network)
        panels.network.choose(call: call)
        show(details: .call(call))
    }
}

extension Focus.Details {
    /// The commands whose keys close it.
    fileprivate var commands: [KeyBinding.Command] {
        switch self {
        case .receipt: [.receipt]
        case .failure: [.failure]
        case .evidence: [.evidence, .failure]
        case .receiptEvidence: [.evidence, .receipt, .failure]
        case .call: [.openCall]
        }
    }
}
