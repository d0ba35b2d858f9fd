import Canvas
import TripFeed
import TripText

/// What driver, server and rider of a trip saw; only of a log.
package struct SidesPanel: TextPanel {
    static let title = Text.viewSides
    static let sessions = ViewSessions.logs
    static let opening: KeyBinding? = KeyBinding(.showSides, String(ViewKind.sides.number), title, .helpSides) {
        $0.show(.sides)
    }
    .offered { $0.settings.hasSides }.hidden()

    var scroll = 0

    static func above(in state: State) -> ViewKind? { state.trips.count > 1 ? .trips : nil }

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        SidesView(trip: view, scroll: scroll).draw(on: &canvas, in: layout.body)
    }

    func statements(of evidence: Evidence) -> [Statement] {
        guard let sides = evidence.trip.sides else { return [] }
        return SideStatements(sides: sides, zone: evidence.view.zone, localizer: evidence.view.localizer).all
    }
}

extension ViewKind {
    /// What driver, server and rider of a trip saw; only of a log.
    package static let sides = ViewKind(panel: SidesPanel.self)
}

extension KeyBinding.Command {
    static let showSides: Self = "showSides"
}
