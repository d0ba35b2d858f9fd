import Canvas

/// Details of the shown trip, over the screen: its receipt, what failed, or the evidence for what is said.
struct DetailsPanel: OverlayPanel {
    let details: Focus.Details
    /// The first visible row, or the row of the cursor.
    let row: Int

    func draw(_ state: State, on canvas: inout Canvas) { DetailsPage(details, of: state)?.draw(on: &canvas, from: row) }

    func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] { scrolled(by: pointer.rows, in: state) }

    /// Scrolls, opens the call of the evidence, or closes the panel; a key without a meaning here has its usual effect then.
    func type(_ key: Key, in state: State) -> [PanelRequest]? {
        let rows = key.rows(page: state.page)
        if rows != 0 { return scrolled(by: rows, in: state) }
        if key == .enter, state.views.contains(.network), let call = DetailsPage(details, of: state)?.call(at: row) {
            return [.call(call)]
        }
        let bound = state.settings.keys.filter { $0.keys.contains(key) }.map(\.command)
        // The receipt is explained as every other text.
        if details == .receipt, bound.contains(.evidence) { return [.overlay(.details(.receiptEvidence, row: 0))] }
        if key == .escape || bound.contains(where: closing.contains) { return [.overlay(nil)] }
        return [.overlay(nil), .press(key)]
    }

    private func scrolled(by rows: Int, in state: State) -> [PanelRequest] {
        let last = DetailsPage(details, of: state)?.lastRow ?? 0
        return [.overlay(.details(details, row: max(0, min(row + rows, last))))]
    }

    /// The commands whose keys close it.
    private var closing: [KeyBinding.Command] {
        switch details {
        case .receipt: [.receipt]
        case .failure: [.failure]
        case .evidence: [.evidence, .failure]
        case .receiptEvidence: [.evidence, .receipt, .failure]
        case .call: [.openCall]
        }
    }
}
