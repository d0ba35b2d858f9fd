import Canvas

/// The keys and the map symbols, over the screen.
struct HelpPanel: OverlayPanel {
    /// The first visible row.
    let row: Int

    func draw(_ state: State, on canvas: inout Canvas) { HelpPage(of: state).draw(on: &canvas, from: row) }

    func type(_ key: Key, in state: State) -> [PanelRequest]? {
        if key == .character("/") { return [.prompt(.command, "")] }
        return KeyMap.binding(for: key, in: state) == nil ? scrolled(by: key.rows(page: state.page), in: state) : nil
    }

    func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] { scrolled(by: pointer.rows, in: state) }

    private func scrolled(by rows: Int, in state: State) -> [PanelRequest] {
        [.overlay(.help(row: min(max(0, row + rows), HelpPage(of: state).lastRow)))]
    }
}
