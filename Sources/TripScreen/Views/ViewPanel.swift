import Canvas
import TripText

/// What a view adds to the screen: its name, its drawing, and what mouse and search do in it.
///
/// Each view has one in its folder; ``ViewKind/panel`` lists them, ``KeyMap`` has their keys.
protocol ViewPanel {
    /// The name that the tab and the breadcrumb use.
    static var title: Text { get }

    /// Returns the view to which Escape returns; `nil` at the top.
    static func above(in state: State) -> ViewKind?

    /// Draws the view.
    static func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas)

    /// Returns the sentences that it shows, or the sentences of its selected row, with their evidence.
    static func statements(of evidence: Evidence) -> [Statement]

    /// Updates what the view stores about the shown trip, after another trip or another answer is shown.
    static func refresh(_ state: inout State)

    /// Prepares the view when it is opened.
    static func open(_ state: inout State)

    /// Performs the action of a mouse button in the view.
    static func press(_ pointer: Pointer, in state: inout State)

    /// Performs the action of the mouse wheel.
    static func wheel(_ pointer: Pointer, in state: inout State)

    /// Returns the filter or the search text; `nil` if the view has none.
    static func needle(of state: State) -> String?

    /// Filters or searches the view.
    static func seek(_ text: String, in state: inout State)
}

extension ViewPanel {
    static func above(in state: State) -> ViewKind? { .trip }

    static func statements(of evidence: Evidence) -> [Statement] { evidence.ofTrip }

    static func refresh(_ state: inout State) {}

    static func open(_ state: inout State) { refresh(&state) }

    static func press(_ pointer: Pointer, in state: inout State) {}

    static func wheel(_ pointer: Pointer, in state: inout State) { state.scrollText(by: pointer.rows) }

    static func needle(of state: State) -> String? { nil }

    static func seek(_ text: String, in state: inout State) {}
}

extension ViewKind {
    /// The panel of the view.
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

extension Pointer {
    /// The rows by which the wheel scrolls.
    var rows: Int { action == .wheelUp ? -3 : 3 }
}
