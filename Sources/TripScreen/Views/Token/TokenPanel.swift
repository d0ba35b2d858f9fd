import Canvas
import TripText

/// A trip's token: state, lifetime, claims, fetches.
package struct TokenPanel: TextPanel {
    static let title = Text.viewToken
    // A log has no tokens, requests and bodies.
    static let sessions = ViewSessions.live
    static let showsTalk = true

    var scroll = 0

    func draw(_ view: TripView, _ layout: ScreenLayout, on canvas: inout Canvas) {
        TokenView(trip: view, scroll: scroll).draw(on: &canvas, in: layout.body)
    }

    func statements(of evidence: Evidence) -> [Statement] { evidence.token + evidence.serverToken }
}

extension ViewKind {
    /// A trip's token: state, lifetime, claims, fetches.
    package static let token = ViewKind(panel: TokenPanel.self)
}
