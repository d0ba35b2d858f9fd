import Canvas
import TripText

/// The panel of a view: how it is drawn, and what mouse and search do in it.
protocol ViewPanel: Panel {
    /// The name that the tab and the breadcrumb use.
    static var title: Text { get }

    /// The sessions that have the view.
    static var sessions: ViewSessions { get }

    /// The row of the key that shows it, if that is not a number key of all sessions.
    static var opening: KeyBinding? { get }

    /// Whether it is about all trips together, not about the shown one.
    static var isOfAllTrips: Bool { get }

    /// Whether it shows who talks to whom, as other views do if the user wants it.
    static var showsTalk: Bool { get }

    /// Returns the view to which Escape returns; `nil` at the top.
    static func above(in state: State) -> ViewKind?

    /// Returns the role of the sign on its tab; `nil` without a sign.
    static func sign(in state: State) -> Role?

    /// Returns whether the key for failures explains a failure, instead of the evidence for the sentences.
    static func explains(_ failure: FollowedTrip.Failed) -> Bool

    /// Returns what its symbols mean, for the help.
    static func legend(in state: State) -> [[Canvas.Span]]

    /// Adds to the help what it says besides the keys.
    static func addHelp(to help: inout TextBlock, in state: State)

    /// The filter or the search text; `nil` if the view has none.
    var needle: String? { get }

    /// Draws the view.
    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas)

    /// Returns the sentences that it shows, or the sentences of its selected row, with their evidence.
    func statements(of evidence: Evidence) -> [Statement]

    /// Returns what the key for copying copies; `nil` for the name of the trip.
    func copied(in state: State) -> String?

    /// Updates what the view stores about the shown trip, after another trip or another answer is shown.
    mutating func refresh(in state: State)

    /// Prepares the view when it is opened.
    mutating func open(in state: State) -> [PanelRequest]

    /// Resets the positions in what belongs to a trip, after a change of the shown trip.
    mutating func forgetPlaces()

    /// Retains the positions as far as possible, after everything that the screen shows was replaced.
    mutating func keepPlaces(in state: State)

    /// Returns whether it shows something instead of its usual content, which Escape ends.
    func canClose(in state: State) -> Bool

    /// Shows the usual content again.
    mutating func close()

    /// Performs the action of a mouse button in the view.
    mutating func press(_ pointer: Pointer, in state: State) -> [PanelRequest]

    /// Performs the action of a mouse that moves with a pressed button.
    mutating func drag(to pointer: Pointer, in state: State)

    /// Ends a movement of the mouse.
    mutating func drop()

    /// Performs the action of the mouse wheel.
    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest]

    /// Filters or searches the view.
    mutating func seek(_ text: String, in state: State) -> [PanelRequest]
}

/// The sessions that have a view.
enum ViewSessions: Sendable {
    case all
    /// All but logs.
    case live
    /// Only logs.
    case logs
}

extension ViewPanel {
    static var sessions: ViewSessions { .all }

    static var opening: KeyBinding? { nil }

    static var isOfAllTrips: Bool { false }

    static var showsTalk: Bool { false }

    static func above(in state: State) -> ViewKind? { .trip }

    static func sign(in state: State) -> Role? { nil }

    static func explains(_ failure: FollowedTrip.Failed) -> Bool { true }

    static func legend(in state: State) -> [[Canvas.Span]] { [] }

    static func addHelp(to help: inout TextBlock, in state: State) {}

    var needle: String? { nil }

    func statements(of evidence: Evidence) -> [Statement] { evidence.ofTrip }

    func copied(in state: State) -> String? { nil }

    mutating func refresh(in state: State) {}

    mutating func open(in state: State) -> [PanelRequest] {
        refresh(in: state)
        return []
    }

    mutating func forgetPlaces() {}

    mutating func keepPlaces(in state: State) {}

    func canClose(in state: State) -> Bool { false }

    mutating func close() {}

    mutating func drag(to pointer: Pointer, in state: State) {}

    mutating func drop() {}

    mutating func press(_ pointer: Pointer, in state: State) -> [PanelRequest] { [] }

    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] { [] }

    mutating func seek(_ text: String, in state: State) -> [PanelRequest] { [] }
}

/// A list that the key for filters filters.
protocol FilteredPanel: ViewPanel {
    /// Only rows that contain this text are shown; empty shows all.
    var filter: String { get }
}

extension FilteredPanel {
    var needle: String? { filter }
}

/// A view that is scrolled as a text.
protocol TextPanel: ViewPanel {
    /// Whether the keys that scroll all texts scroll it.
    static var isScrolledByKeys: Bool { get }

    /// The number of rows above the first visible one, or the number of the chosen element of a list.
    var scroll: Int { get set }

    /// Returns the maximum of ``scroll`` for a trip.
    func lastRow(of view: TripView) -> Int
}

extension TextPanel {
    static var isScrolledByKeys: Bool { true }

    func lastRow(of view: TripView) -> Int { 500 }

    /// Scrolls down, or up with a negative number.
    mutating func scroll(by rows: Int, in state: State) {
        let last = state.trip.map { lastRow(of: TripView(state: state, trip: $0)) } ?? 0
        scroll = max(0, min(scroll + rows, last))
    }

    mutating func forgetPlaces() { scroll = 0 }

    mutating func wheel(_ pointer: Pointer, in state: State) -> [PanelRequest] {
        scroll(by: pointer.rows, in: state)
        return []
    }
}

extension Pointer {
    /// The rows by which the wheel scrolls.
    var rows: Int { action == .wheelUp ? -3 : 3 }
}
