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

    /// The commands of all panels on the command line.
    static var commands: [CommandRow] {
        ViewKind.all.flatMap { $0.panel.commands } + FaultsPanel.commands
    }

    /// The panel of a view.
    subscript(_ kind: ViewKind) -> any ViewPanel {
        get { kind.panel.read(self) }
        set { kind.panel.write(newValue, to: &self) }
    }
}

extension ViewKind {
    /// The rows of its keys.
    var keys: [KeyBinding] { panel.keys.map { $0.views.isEmpty ? $0.inViews([self]) : $0 } }

    /// The type of its panel.
    var panel: any ViewPanel.Type {
        switch self {
        case .trip: TripPanel.self
        case .trips: TripsPanel.self
        case .token: TokenPanel.self
        case .network: NetworkPanel.self
        case .inspector: InspectorPanel.self
        case .findings: FindingsPanel.self
        case .log: LogPanel.self
        case .sides: SidesPanel.self
        }
    }
}

extension ViewPanel {
    fileprivate static func read(_ panels: Panels) -> any ViewPanel { panels[keyPath: place] }

    fileprivate static func write(_ panel: any ViewPanel, to panels: inout Panels) {
        if let panel = panel as? Self { panels[keyPath: place] = panel }
    }
}
