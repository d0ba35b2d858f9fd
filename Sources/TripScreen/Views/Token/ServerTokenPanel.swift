import Canvas
import FleetTokens
import Runtime
import TripText

/// Draws the state of the server token, which lists the trips of the project, without the token.
///
/// ```text
/// ╭ Server token ──────────────────────────── Credentials ╮
/// │ Token 2 is good. The next one is fetched in 30 min.   │
/// │ ██████████████│████████████░░░░░░░░░░░░░░░░░░░        │
/// ╰───────────────────────────────────────────────────────╯
/// ```
struct ServerTokenPanel {
    let view: TripView
    let token: TokenStatus

    /// Returns the number of rows that the panel needs below the state of the trip's token; 0 if there is no server token.
    static func height(_ state: State, in rect: Rect) -> Int {
        guard let token = state.project.token else { return 0 }
        // A short view reserves its rows for the claims of the trip's token.
        let extra = rect.height >= 26 ? (token.lastError == nil ? 1 : 2) : 0
        return rect.height < 14 ? 0 : 3 + extra
    }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard rect.height > 2 else { return }
        let localizer = view.localizer
        let inner = canvas.frame(
            rect,
            title: localizer(.serverTokenTitle),
            note: localizer(Talk.name(of: token.source))
        ).inset(horizontal: 1, vertical: 0)
        let life = TokenLife(token, now: view.serviceNow(token))
        let rows = inner.rows([.fixed(1), .fixed(inner.height > 1 ? 1 : 0), .flexible()])
        canvas.put([view.story(of: token, life, isOver: false)], in: rows[0])
        view.drawLife(life, on: &canvas, in: rows[1])
        guard let error = token.lastError else { return }
        let project = Reporter.sanitized(view.state.settings.provider, limit: 64)
        let subject = localizer(.projectSubject(project: project))
        let sentence = UserMessage(noToken: error.failure, token, for: subject, localizer: localizer)
        canvas.put("\(view.glyphs.cross) \(sentence.what)", in: rows[2], role: .critical)
    }
}
