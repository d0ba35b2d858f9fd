import Canvas
import TripText

/// The findings of a trip.
enum FindingsPanel: ViewPanel {
    static let title = Text.viewFindings

    static func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        FindingsView(trip: view).draw(on: &canvas, in: layout.body)
    }

    static func statements(of evidence: Evidence) -> [Statement] {
        evidence.statements(
            ofFindings: FindingsView(trip: evidence.view).shown(width: evidence.state.layout.body.width)
        )
    }
}
