import TripModel

/// What a panel asks the screen for, because it can change nothing but itself.
enum PanelRequest: Sendable {
    /// A side effect of the screen.
    case perform(Effect)
    /// Another view.
    case show(ViewKind)
    /// A trip in the current view, by its index.
    case select(Int)
    /// A trip as the chosen row of the list; the positions in other views stay until it is opened.
    case choose(Int)
    /// A panel over the screen, or the end of it.
    case overlay(Focus.Overlay?)
    /// A call in the list of calls, by its number.
    case call(Int)
    /// The usual effect of a key.
    case press(Key)
    /// A text input.
    case prompt(Prompt.Kind, String)
    /// A question that the next key answers.
    case ask(Focus.Question)
    /// A message until the next key.
    case message(String)
    /// A message about what was entered; untrusted text.
    case complain(String)
    /// A trip to follow, and to show.
    case watch(JourneyID)
    /// The end of the base map.
    case removeBasemap
}

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

    // MARK: After each change

    /// Updates what the current view stores about the shown trip.
    mutating func refreshView() { change(view) { $0.refresh(in: $1) } }

    /// Moves the map if the vehicle leaves its middle.
    mutating func keepVehicleInSight() {
        if panels.trip.map.mode == .follow { change(TripPanel.self) { $0.keepVehicleInSight(in: $1) } }
    }

    /// Retains or replaces the section of the map that shows everything.
    mutating func keepFit(isNew: Bool = false) { change(TripPanel.self) { $0.keepFit(isNew: isNew, in: $1) } }

    /// Updates the cached order of a long list of trips if necessary.
    mutating func keepLongList() {
        guard trips.count > LongList.longestLive || panels.trips.longList != nil else { return }
        change(TripsPanel.self) { $0.keepLongList(in: $1) }
    }

    private mutating func perform(_ requests: [PanelRequest]) -> [Effect] {
        var effects: [Effect] = []
        for request in requests {
            switch request {
            case .perform(let effect): effects.append(effect)
            case .show(let kind): show(kind)
            case .select(let index): select(index)
            case .choose(let index): selected = index
            case .overlay(let overlay): show(overlay: overlay)
            case .call(let number):
                show(.network)
                panels.network.choose(call: number)
                show(details: .call(number))
            case .press(let key): effects += press(key)
            case .prompt(let kind, let text): open(kind, text)
            case .ask(let question): ask(question)
            case .message(let text): message = text
            case .complain(let text): effects += complain(text)
            case .watch(let id): effects += watch(id)
            case .removeBasemap:
                settings.basemap = nil
                settings.findsBasemap = false
            }
        }
        return effects
    }
}
