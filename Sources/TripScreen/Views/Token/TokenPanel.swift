import Canvas
import TripText

/// A trip's token: state, lifetime, claims, fetches.
enum TokenPanel: ViewPanel {
    static let title = Text.viewToken

    static func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        TokenView(trip: view).draw(on: &canvas, in: layout.body)
    }

    static func statements(of evidence: Evidence) -> [Statement] { evidence.token + evidence.serverToken }
}
