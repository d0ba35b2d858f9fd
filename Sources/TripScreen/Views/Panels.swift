/// The panels of the screen: each stores what belongs to it alone.
package struct Panels: Sendable {
    package internal(set) var trip = TripPanel()
    package internal(set) var trips = TripsPanel()
    package internal(set) var token = TokenPanel()
    package internal(set) var network = NetworkPanel()
    package internal(set) var inspector = InspectorPanel()
    package internal(set) var findings = FindingsPanel()
    package internal(set) var log = LogPanel()
    package internal(set) var sides = SidesPanel()
    package internal(set) var faults = FaultsPanel()
    package internal(set) var expectations = ExpectationsPanel()

    /// The panel of a view.
    subscript(_ kind: ViewKind) -> any ViewPanel {
        get { kind.place.get(self) }
        set { kind.place.set(&self, newValue) }
    }
}

/// Where the panel of a view is stored.
struct PanelPlace: Sendable {
    /// The type of the panel.
    let type: any ViewPanel.Type
    /// Reads the panel.
    let get: @Sendable (Panels) -> any ViewPanel
    /// Replaces the panel.
    let set: @Sendable (inout Panels, any ViewPanel) -> Void

    init<Panel: ViewPanel>(_ path: any WritableKeyPath<Panels, Panel> & Sendable) {
        type = Panel.self
        get = { $0[keyPath: path] }
        set = { panels, panel in if let panel = panel as? Panel { panels[keyPath: path] = panel } }
    }
}

extension ViewKind {
    /// Where its panel is stored.
    var place: PanelPlace {
        switch self {
        case .trip: PanelPlace(\.trip)
        case .trips: PanelPlace(\.trips)
        case .token: PanelPlace(\.token)
        case .network: PanelPlace(\.network)
        case .inspector: PanelPlace(\.inspector)
        case .findings: PanelPlace(\.findings)
        case .log: PanelPlace(\.log)
        case .sides: PanelPlace(\.sides)
        }
    }
}
