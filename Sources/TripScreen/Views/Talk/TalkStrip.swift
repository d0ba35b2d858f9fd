import Canvas
import Runtime
import TripText

/// Draws who talks to whom: in two lines, or with a line for each pair if there is no room side by side.
///
/// ```text
///  Token endpoint ◀─────●──── this app ─────●─────▶ Fleet Engine ◀────────── Driver
///           3 calls · 9.2 ms  token 2 · 18 calls · 5.4 ms  driver's token 1 · 3 s ago
/// ```
///
/// A dot that travels with a call to Fleet Engine carries the number of its token: `●2`.
struct TalkStrip {
    let talk: Talk
    let localizer: Localizer
    private let glyphs: GlyphSet

    typealias Span = Canvas.Span

    /// Returns the number of lines for a width.
    static func height(_ width: Int) -> Int { width < 74 ? 3 : 2 }

    init(_ view: TripView) {
        (talk, localizer, glyphs) = (Talk(of: view), view.localizer, view.glyphs)
    }

    /// Draws the strip.
    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard rect.height < 3 else { return drawPairs(on: &canvas, in: rect) }
        let all = [localizer(talk.source), localizer(.talkApp), Self.engine, localizer(.talkDriver)].map { " \($0) " }
        let edges: [(edge: Talk.Edge, pointsRight: Bool)] = [
            (talk.tokens, false), (talk.polls, true), (talk.reports, false),
        ]
        let count = (2...4).reversed().first { Self.fits(Array(all.prefix($0)), rect.width) } ?? 0
        guard count > 1, rect.height >= 1 else { return }
        let names = Array(all.prefix(count))
        let room = rect.width - names.reduce(0) { $0 + TextWidth.of($1) }
        var x = rect.x
        for (index, name) in names.enumerated() {
            let width = TextWidth.of(name)
            canvas.put(name, in: Rect(x: x, y: rect.y, width: width, height: 1), role: .badge)
            x += width
            guard index < count - 1 else { break }
            // The last one takes what is left after division.
            let length = index == count - 2 ? rect.maxX - x - TextWidth.of(names[index + 1]) : room / (count - 1)
            let (edge, pointsRight) = edges[index]
            canvas.put(line(edge, pointsRight, length), in: Rect(x: x, y: rect.y, width: length, height: 1))
            drawLabel(of: edge, at: Rect(x: x, y: rect.y + 1, width: length, height: 1), on: &canvas, in: rect)
            x += length
        }
    }

    static let engine = "Fleet Engine"

    /// Draws a line for each pair, from the caller to the called one.
    private func drawPairs(on canvas: inout Canvas, in rect: Rect) {
        let app = localizer(.talkApp)
        let pairs = [
            (app, talk.tokens, localizer(talk.source)), (app, talk.polls, Self.engine),
            (localizer(.talkDriver), talk.reports, Self.engine),
        ]
        let callers = 2 + pairs.reduce(0) { max($0, TextWidth.of($1.0)) }
        let called = 2 + pairs.reduce(0) { max($0, TextWidth.of($1.2)) }
        let labels = pairs.reduce(0) { max($0, TextWidth.of($1.1.cause ?? $1.1.label)) }
        let length = min(max(5, rect.width - callers - called - 1 - labels), 24)
        for (row, (caller, edge, party)) in pairs.enumerated() {
            let parts = rect.row(row).columns([.fixed(callers), .fixed(length), .fixed(called), .fixed(1), .flexible()])
            canvas.put(" \(caller.padding(callers - 1))", in: parts[0], role: .badge)
            canvas.put(line(edge, true, length), in: parts[1])
            canvas.put(" \(party.padding(called - 1))", in: parts[2], role: .badge)
            let label = edge.cause(in: parts[4].width) ?? edge.label(in: parts[4].width)
            canvas.put(label, in: parts[4], role: edge.cause == nil ? .secondary : .critical)
        }
    }

    private static let shortestEdge = 9

    private static func fits(_ names: [String], _ width: Int) -> Bool {
        names.reduce(0) { $0 + TextWidth.of($1) } + (names.count - 1) * shortestEdge <= width
    }

    func line(_ edge: Talk.Edge, _ pointsRight: Bool, _ length: Int) -> [Span] {
        let role: Role = edge.cause != nil ? .critical : edge.isActive ? .accent : .secondary
        let head = pointsRight ? glyphs.pointer : glyphs.pointerLeft
        let inner = max(0, length - 3)
        let before = inner / 2
        var body = Array(repeating: glyphs.box.horizontal, count: max(0, inner))
        if let travel = edge.travel, inner > 0 {
            let way = Int(travel * Double(inner - 1))
            let place = pointsRight ? way : inner - 1 - way
            body[place] = glyphs.current
            // The number is behind the dot on its way to Fleet Engine; a token with more digits than there is room has none.
            let digits = edge.keyNumber.map { String($0).map(String.init) } ?? []
            let first = pointsRight ? place - digits.count : place + 1
            if first >= 0, first + digits.count <= body.count {
                for (index, digit) in digits.enumerated() { body[first + index] = digit }
            }
        } else if edge.isActive, edge.cause == nil, inner > 0 {
            body[before] = glyphs.current
        }
        if edge.cause != nil, inner > 0 { body[before] = glyphs.cross }
        return [Span(pointsRight ? " \(body.joined())\(head) " : " \(head)\(body.joined()) ", role)]
    }

    /// Draws what is known about the calls below their line; it may be wider than the line.
    private func drawLabel(of edge: Talk.Edge, at place: Rect, on canvas: inout Canvas, in rect: Rect) {
        guard rect.height > 1 else { return }
        let room = Rect(
            x: max(rect.x, place.x - 4),
            y: place.y,
            width: min(rect.maxX, place.maxX + 4) - max(rect.x, place.x - 4),
            height: 1
        )
        let label = edge.cause(in: room.width) ?? edge.label(in: room.width - 2)
        canvas.put(label, in: room, align: .center, role: edge.cause == nil ? .secondary : .critical)
    }
}
