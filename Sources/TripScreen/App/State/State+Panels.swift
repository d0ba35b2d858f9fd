/// How panels change.
extension State {
    /// Lets a panel change itself.
    mutating func change<Changed: Panel>(_ type: Changed.Type, _ change: (inout Changed, State) -> Void) {
        // The panel reads the state while it changes, so a copy of it changes.
        var panel = panels[type]
        change(&panel, self)
        panels[type] = panel
    }

    /// Lets the panel of a view change itself.
    mutating func change(_ kind: ViewKind, _ change: (inout any ViewPanel, State) -> Void) {
        var panel = panels[kind]
        change(&panel, self)
        panels[kind] = panel
    }

    /// Lets a panel change itself, and performs what it requests.
    mutating func update<Changed: Panel>(
        _ type: Changed.Type,
        _ change: (inout Changed, State) -> [PanelRequest]
    ) -> [Effect] {
        var requests: [PanelRequest] = []
        self.change(type) { requests = change(&$0, $1) }
        return perform(requests)
    }

    /// Lets the panel of the current view change itself, and performs what it requests.
    mutating func updateView(_ change: (inout any ViewPanel, State) -> [PanelRequest]) -> [Effect] {
        var requests: [PanelRequest] = []
        self.change(view) { requests = change(&$0, $1) }
        return perform(requests)
    }

    /// Lets the panel over the screen process a key; `nil` if there is none, or it does not use the key.
    mutating func updateOverlay(with key: Key) -> [Effect]? {
        guard var panel = overlay?.panel(in: panels), let requests = panel.type(key, in: self) else { return nil }
        panel.store(in: &panels)
        return perform(requests)
    }

    /// Lets the panel over the screen process the mouse wheel; `nil` if there is none.
    mutating func updateOverlay(with wheel: Pointer) -> [Effect]? {
        guard var panel = overlay?.panel(in: panels) else { return nil }
        let requests = panel.wheel(wheel, in: self)
        panel.store(in: &panels)
        return perform(requests)
    }

    /// Updates what the current view stores about the shown trip.
    mutating func refreshView() { change(view) { $0.refresh(in: $1) } }
}
