import Canvas

/// A panel over the screen: how it is drawn, and what keys and mouse do while it is open.
protocol OverlayPanel: Sendable {
    /// Draws the panel.
    func draw(_ state: State, on canvas: inout Canvas)

    /// Processes a key; returns `nil` for keys that it does not use.
    mutating func type(_ key: Key, in state: State) -> [PanelRequest]?

    /// Performs the action of the mouse wheel.
    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest]

    /// Stores the panel, unless the focus has all that it stores.
    func store(in panels: inout Panels)
}

extension OverlayPanel {
    func store(in panels: inout Panels) {}
}

extension OverlayPanel where Self: Panel {
    func store(in panels: inout Panels) { panels[Self.self] = self }
}

extension Focus.Overlay {
    /// Returns its panel.
    func panel(in panels: Panels) -> any OverlayPanel {
        switch self {
        case .help(let row): HelpPanel(row: row)
        case .expectations: panels.expectations
        case .faults: panels[FaultsPanel.self]
        case .details(let details, let row): DetailsPanel(details: details, row: row)
        }
    }
}
