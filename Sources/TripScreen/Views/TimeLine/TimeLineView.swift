import Canvas
import Recording
import Runtime
import TripModel
import TripText

/// Draws the time line: the time, a bar with the marks, and the speed.
///
/// ```text
///  ▸ 12:30 / 1:02:10 ━━━◆━━━━━━!━━●─────✗──────◆─────── ×20
/// ```
struct TimeLineView {
    let line: TimeLine
    let glyphs: GlyphSet
    let localizer: Localizer

    private typealias Span = Canvas.Span

    init(_ line: TimeLine, in state: State) {
        self.line = line
        (glyphs, localizer) = (state.settings.glyphs, state.settings.localizer)
    }

    /// The minimum width of the bar; on a narrower screen the speed or the length is omitted.
    private static let shortestBar = 12

    // MARK: Layout

    private var sign: String {
        if line.isPaused || line.scene == .present { return line.hasEnded ? glyphs.end : glyphs.pause }
        return glyphs.pointer
    }

    /// The text before the bar.
    private func left(short: Bool) -> String {
        let position = localizer.watch(line.position)
        let time = short ? position : "\(position) / \(localizer.watch(line.length))"
        return " \(sign) \(time) "
    }

    /// The text after the bar.
    private var right: String {
        var parts: [String] = []
        if let progress = line.progress {
            parts.append(localizer(.timeLineReading(percent: String(Int(progress * 100)))))
        }
        if line.isLooping { parts.append(localizer(.timeLineLoop)) }
        let speed =
            line.speed == line.speed.rounded() ? String(Localizer.whole(line.speed)) : localizer.decimal(line.speed, 1)
        parts.append("\(glyphs.times)\(speed)")
        return " \(parts.joined(separator: " ")) "
    }

    /// Returns the parts of a row.
    private func parts(_ rect: Rect) -> (left: String, bar: Rect, right: String) {
        var (left, right) = (left(short: false), right)
        func room() -> Int { rect.width - TextWidth.of(left) - TextWidth.of(right) }
        if room() < Self.shortestBar { left = self.left(short: true) }
        if room() < Self.shortestBar { right = " " }
        let start = TextWidth.of(left)
        return (left, Rect(x: rect.x + start, y: rect.y, width: max(0, room()), height: 1), right)
    }

    /// Returns the time at a column; columns left and right of the bar count as its ends.
    func time(at column: Int, in rect: Rect) -> Duration {
        let bar = parts(rect).bar
        guard bar.width > 1 else { return line.position }
        let share = Double(min(max(column, bar.x), bar.maxX - 1) - bar.x) / Double(bar.width - 1)
        return .seconds(line.length.seconds * share)
    }

    // MARK: Drawing

    /// Draws the time line in a row.
    func draw(on canvas: inout Canvas, in rect: Rect) {
        guard !rect.isEmpty else { return }
        canvas.fill(rect)
        let (left, bar, right) = parts(rect)
        canvas.put(left, in: rect, role: line.scene == .present ? .secondary : .accent)
        canvas.put(right, in: rect, align: .right, role: .secondary)
        guard bar.width > 0 else { return }
        let length = max(line.length.seconds, 0.001)
        let step = length / Double(max(1, bar.width - 1))
        let place = min(bar.width - 1, max(0, Int((line.position.seconds / step).rounded())))
        for column in 0..<bar.width {
            let middle = Double(column) * step
            let sign: Span
            if column == place {
                sign = Span(glyphs.current, .heading)
            } else if let kind = line.marks.kind(in: (middle - step / 2)..<(middle + step / 2)) {
                sign = Self.sign(of: kind, glyphs)
            } else {
                let isPast = column < place
                sign = Span(isPast ? glyphs.wayDone : glyphs.wayAhead, isPast ? .accent : .secondary)
            }
            canvas.put(sign.text, x: bar.x + column, y: bar.y, role: sign.role)
        }
    }

    /// Returns the character of a mark; kinds differ also without color.
    static func sign(of kind: ReplayMark.Kind, _ glyphs: GlyphSet) -> Canvas.Span {
        switch kind {
        case .finding: Span(glyphs.attention, .warning)
        case .status: Span(glyphs.stop, .positive)
        case .note: Span(glyphs.note, .accent)
        case .error: Span(glyphs.cross, .critical)
        }
    }

    /// Returns the explanations of the signs for the help.
    static func legend(_ state: State) -> [[Canvas.Span]] {
        let (glyphs, localizer) = (state.settings.glyphs, state.settings.localizer)
        let marks = ReplayMark.Kind.allCases.reversed().map { kind in
            [sign(of: kind, glyphs), Span("  \(localizer(kind.title))")]
        }
        return [[Span(localizer(.timeLine), .heading)]] + marks
    }
}

/// Draws the time line of a replay, if there is one.
func drawTimeLine(of state: State, on canvas: inout Canvas) {
    guard let line = state.timeLine else { return }
    TimeLineView(line, in: state).draw(on: &canvas, in: state.timeLineRect)
}
