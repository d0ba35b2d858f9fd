import Canvas
import Foundation
import Runtime
import TripText

/// Draws the life of a trip's token so far: fetches, refusals, and which token was in use.
///
/// ```text
/// ✓         ✓              ! ✓
/// 1█████████2██████████████  3█████░░░░░░░
/// 12:34:23                               12:38:12
/// ```
struct TokenTimeLine {
    let history: TokenHistory
    let view: TripView
    let now: Date

    private var glyphs: GlyphSet { view.glyphs }

    /// The number of lines.
    static let height = 3

    /// Draws the time line; nothing before the first fetch.
    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard rect.height >= Self.height, rect.width >= 20, let (start, end) = span(rect.width) else { return }
        let scale = Double(rect.width - 1) / end.timeIntervalSince(start)
        func column(_ time: Date) -> Int {
            let place = (time.timeIntervalSince(start) * scale).rounded()
            return rect.x + min(max(0, Int(place)), rect.width - 1)
        }
        drawTokens(on: &canvas, in: rect, from: start, column)
        for entry in history.entries where entry.time >= start {
            let (sign, role): (String, Role) =
                entry.failure == nil ? (glyphs.check, .positive) : (glyphs.cross, .critical)
            put(sign, role, at: column(entry.time), row: 0, on: &canvas, in: rect)
        }
        for time in history.rejected where time >= start {
            put(glyphs.attention, .critical, at: column(time), row: 0, on: &canvas, in: rect)
        }
        let right = view.zone.clock(end)
        canvas.put(view.zone.clock(start), in: rect, row: 2, role: .secondary)
        canvas.put(right, in: rect, row: 2, align: .right, role: .secondary)
        let word = view.localizer(.talkNow)
        let (left, width) = (column(now) - TextWidth.of(word) / 2, TextWidth.of(word))
        let ends = TextWidth.of(right) + 1
        if end > now, left > rect.x + ends, left + width < rect.maxX - ends {
            canvas.put(word, in: Rect(x: left, y: rect.y + 2, width: width, height: 1))
        }
    }

    /// The narrowest fetch in columns.
    private static let narrowest = 6

    /// Returns the shown time; `nil` before the first fetch.
    private func span(_ width: Int) -> (start: Date, end: Date)? {
        let shown = history.entries.suffix(max(1, width / Self.narrowest))
        guard let first = shown.first else { return nil }
        let last = history.entries.last { $0.failure == nil }?.end ?? now
        let end = view.trip.end == nil ? max(last, now) : max(shown.last?.time ?? now, first.time)
        return (first.time, max(end, first.time + 1))
    }

    private func put(_ sign: String, _ role: Role, at x: Int, row: Int, on canvas: inout Canvas, in rect: Rect) {
        canvas.put(sign, in: Rect(x: x, y: rect.y + row, width: 1, height: 1), role: role)
    }

    /// Draws each token from its fetch until the next one, its expiry or its refusal.
    private func drawTokens(on canvas: inout Canvas, in rect: Rect, from start: Date, _ column: (Date) -> Int) {
        let stored = history.entries.filter { $0.failure == nil }
        for (index, entry) in stored.enumerated() {
            let next = index + 1 < stored.count ? stored[index + 1].time : nil
            let refusal = history.rejected.first { $0 >= entry.time && $0 <= next ?? .distantFuture }
            let limits = [next, entry.end, refusal].compactMap(\.self)
            let end = limits.min() ?? now
            let columns = (column(max(entry.time, start)), column(end))
            // A token may have expired before it arrived.
            guard end > start, columns.0 <= columns.1 else { continue }
            let isCurrent = next == nil && refusal == nil
            for x in columns.0...columns.1 {
                let isPast = x <= column(now)
                let role: Role = isCurrent && isPast ? .barFilled : isPast ? .secondary : .barEmpty
                put(isPast ? glyphs.barSteps.last ?? "#" : glyphs.barEmpty, role, at: x, row: 1, on: &canvas, in: rect)
            }
            guard entry.time >= start, let number = entry.number.map(String.init) else { continue }
            let place = Rect(x: column(entry.time), y: rect.y + 1, width: TextWidth.of(number), height: 1)
            if place.maxX < rect.maxX { canvas.put(number, in: place, role: isCurrent ? .badgePositive : .badge) }
        }
    }
}
