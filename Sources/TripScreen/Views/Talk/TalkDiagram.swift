import Canvas
import Runtime
import TripText

/// Draws who talks to whom on a large screen: each party as a block, and what is known of the calls below their line.
///
/// ```text
///  ░░░░░░░░░░░░░░                  ░░░░░░░░░░
///  ░░ Endpoint ░░ ◀───────●─────── ░░ app ░░░ ───────●──────▶
///  ░░░░░░░░░░░░░░    3 · 9.2 ms    ░░░░░░░░░░
/// ```
extension TalkStrip {
    /// The number of rows of the blocks.
    static let largeHeight = 5
    /// The smallest screen with blocks.
    static let large = (width: 150, height: 48)

    /// Draws the blocks and the lines between them; `false` if there is no room.
    func drawLarge(on canvas: inout Canvas, in rect: Rect) -> Bool {
        let names = [localizer(talk.source), localizer(.talkApp), Self.engine, localizer(.talkDriver)]
        let edges: [(edge: Talk.Edge, pointsRight: Bool)] = [
            (talk.tokens, false), (talk.polls, true), (talk.reports, false),
        ]
        let margin = 3
        let blocks = names.map { TextWidth.of($0) + 2 * margin }
        let room = rect.width - blocks.reduce(0, +)
        guard rect.width >= Self.large.width - 4, rect.height >= Self.largeHeight, room >= 3 * 20 else { return false }
        let middle = Self.largeHeight / 2
        var x = rect.x
        for (index, name) in names.enumerated() {
            let block = Rect(x: x, y: rect.y, width: blocks[index], height: Self.largeHeight)
            canvas.fill(block, role: .badge)
            canvas.put(name, in: block, row: middle, align: .center, role: .badge)
            x += blocks[index]
            guard index < edges.count else { break }
            // The last one takes what is left after division.
            let length = index == edges.count - 1 ? rect.maxX - x - blocks[index + 1] : room / edges.count
            let (edge, pointsRight) = edges[index]
            let line = Rect(x: x, y: rect.y + middle, width: length, height: 1)
            canvas.put(self.line(edge, pointsRight, length), in: line)
            let below = Rect(x: x + 1, y: line.y + 1, width: length - 2, height: Self.largeHeight - middle - 1)
            let label = edge.cause ?? edge.label(in: below.width)
            let words = Printable.wrapped(label, to: below.width, limit: below.height)
            for (row, text) in words.enumerated() {
                let role: Role = edge.cause == nil ? .text : .critical
                canvas.put(text, in: below, row: row, align: .center, role: role)
            }
            x += length
        }
        return true
    }
}
