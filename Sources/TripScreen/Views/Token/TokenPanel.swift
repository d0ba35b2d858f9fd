import Canvas
import TripText

/// A trip's token: state, lifetime, claims, fetches.
package struct TokenPanel: TextPanel {
    static let title = Text.viewToken
    static var place: any WritableKeyPath<Panels, TokenPanel> & Sendable { \.token }

    var scroll = 0

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        TokenView(trip: view).draw(on: &canvas, in: layout.body)
    }

    func statements(of evidence: Evidence) -> [Statement] { evidence.token + evidence.serverToken }
}
