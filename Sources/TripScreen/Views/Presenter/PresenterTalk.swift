import Canvas
import Runtime
import TripText

/// Draws who talks to whom and the life of the token for viewers at a distance.
///
/// ```text
///  Token endpoint ◀────●──── this app ────●────▶ Fleet Engine ◀──────── Driver
///              3 · 9 ms             18 · 5 ms             3 s ago
///  Token 3 is good. The next one is fetched in 48 s, before it expires.    1:08
///  This app's token opens trip-7 only. Same token, used 7 times. Renewals: 2, nobody
///  waited. Driver's token: taxi-7 only.
///  ████████████████████████████████████████████████████████████░░░░░░░░░░░░░░░
/// ```
struct PresenterTalk {
    let trip: TripView

    /// Returns the number of lines for a width on a screen of a height.
    static func height(_ width: Int, in screen: Int) -> Int {
        let isLarge = width >= TalkStrip.large.width - 4 && screen >= TalkStrip.large.height
        return (isLarge ? TalkStrip.largeHeight : TalkStrip.height(width)) + keyLines(width, in: screen) + 3
    }

    /// The number of lines of what may be said about the tokens; a tall screen has room for the whole sentences.
    private static func keyLines(_ width: Int, in screen: Int) -> Int {
        width < 74 || (width < TalkStrip.large.width - 4 && screen >= 36) ? 3 : 2
    }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let keys = Self.keyLines(rect.width, in: canvas.height)
        let rows = rect.rows([
            .fixed(max(1, rect.height - keys - 3)), .fixed(1), .fixed(keys), .fixed(1), .flexible(),
        ])
        let strip = TalkStrip(trip)
        if !strip.drawLarge(on: &canvas, in: rows[0]) {
            let height = min(rows[0].height, TalkStrip.height(rect.width))
            strip.draw(on: &canvas, in: Rect(x: rect.x, y: rect.y, width: rect.width, height: height))
        }
        guard let token = trip.trip.token else {
            canvas.put(trip.whyNoToken, in: rows[1], role: .secondary)
            return
        }
        let life = TokenLife(token, now: trip.serviceNow(token))
        let story = trip.story(of: token, life, isOver: trip.trip.end != nil, width: rect.width)
        canvas.put([story], in: rows[1])
        let left = life.left.map { trip.localizer.watch(max(.zero, $0)) } ?? ""
        if TextWidth.of(story.text) + TextWidth.of(left) < rows[1].width {
            canvas.put(left, in: rows[1], align: .right, role: .accent)
        }
        let lines = KeyStory(trip).lines(width: rect.width, limit: keys)
        for (row, line) in lines.enumerated() { canvas.put(line, in: rows[2], row: row) }
        trip.drawLife(life, on: &canvas, in: rows[3])
    }
}
