import Canvas

/// A panel over the screen as a value: what it stores, how it is drawn, and what keys do in it.
///
/// As a ``ViewPanel``, it changes itself only, and requests everything else.
protocol OverlayPanel: Sendable {
    /// Draws the panel.
    func draw(_ state: State, on canvas: inout Canvas)

    /// Processes a key; returns `nil` for keys that it does not use.
    mutating func type(_ key: Key, in state: State) -> [PanelRequest]?

    /// Chooses another row of its list.
    mutating func choose(by steps: Int, in state: State)
}
