import Canvas

/// A panel over the screen: how it is drawn, and what keys do while it is open.
protocol OverlayPanel: Panel {
    /// Draws the panel.
    func draw(_ state: State, on canvas: inout Canvas)

    /// Processes a key; returns `nil` for keys that it does not use.
    mutating func type(_ key: Key, in state: State) -> [PanelRequest]?

    /// Chooses another row of its list.
    mutating func choose(by steps: Int, in state: State)
}
