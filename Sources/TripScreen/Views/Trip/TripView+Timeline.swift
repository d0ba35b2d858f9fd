import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

extension TripView {
    private var timeline: Timeline { Timeline(of: trip.state, at: now, localizer: localizer) }

    /// Returns the sign before a step.
    private func sign(_ step: Timeline.Step) -> (String, Role) {
        if step.status == .trip(.canceled) { return (glyphs.cross, .warning) }
        return switch step.progress {
        case .passed: (glyphs.check, .positive)
        case .current: (glyphs.current, .accent)
        case .ahead: (glyphs.pending, .secondary)
        case .missed: (glyphs.unknown, .stale)
        }
    }

    private func role(_ progress: Timeline.Progress) -> Role {
        switch progress {
        case .passed: .text
        case .current: .accent
        case .ahead, .missed: .secondary
        }
    }

    /// Returns `17:04:31`; the sign and the style of a step say whether it is an estimate.
    private func clock(_ step: Timeline.Step) -> String {
        guard let time = step.time else { return step.progress == .missed ? localizer(.stepNotSeen) : glyphs.unknown }
        return zone.clock(time)
    }

    /// Returns a range of `count` steps around the current one.
    private func window(of count: Int, in steps: [Timeline.Step]) -> Range<Int> {
        let current = steps.lastIndex { $0.progress == .current || $0.progress == .passed } ?? 0
        let first = min(max(0, current - count / 2), steps.count - count)
        return first..<(first + count)
    }

    /// Returns the mark for omitted steps, such as `…3`.
    private func hidden(_ count: Int) -> String { "\(glyphs.ellipsis)\(count)" }

    /// Returns `0:49`, or `0:49+` if it began before the first observation; `nil` if unknown.
    private func duration(of step: Timeline.Step) -> String? {
        step.duration.map { localizer.watch($0) + (step.isLonger ? "+" : "") }
    }

    /// Draws the steps around the current one side by side in two rows.
    func drawTimelineStrip(on canvas: inout Canvas, in rect: Rect) {
        let place = rect.inset(horizontal: 1, vertical: 0)
        let steps = timeline.steps
        guard !steps.isEmpty, place.height > 1 else { return }
        // Names in some languages are longer and may be slightly wider than the times.
        let wanted = steps.reduce(max(14, zone.clockWidth + 4)) { max($0, TextWidth.of($1.name) + 3) }
        let fits = max(1, place.width / min(20, wanted))
        let isCut = steps.count > fits
        // The marks for omitted steps on both sides.
        let margin = isCut ? TextWidth.of(hidden(steps.count)) + 1 : 0
        let count = isCut ? max(1, (place.width - 2 * margin) / min(20, wanted)) : steps.count
        let shown = window(of: count, in: steps)
        let parts = place.columns([.fixed(margin), .flexible(), .fixed(margin)])
        if shown.lowerBound > 0 { canvas.put(hidden(shown.lowerBound), in: parts[0], role: .secondary) }
        let after = steps.count - shown.upperBound
        if after > 0 { canvas.put(hidden(after), in: parts[2], align: .right, role: .secondary) }
        let columns = parts[1].columns(Array(repeating: .flexible(), count: count))
        for (column, step) in zip(columns, steps[shown]) {
            let (sign, role) = sign(step)
            let name = Rect(x: column.x, y: column.y, width: column.width - 1, height: 1)
            canvas.put([Span("\(sign) ", role), Span(step.name, self.role(step.progress))], in: name)
            var times = [Span("  \(clock(step))", step.progress == .current ? .accent : .secondary)]
            if let duration = duration(of: step), step.progress == .passed,
                TextWidth.of(times[0].text) + 1 + TextWidth.of(duration) <= column.width
            {
                times.append(Span(" \(duration)", .text))
            }
            canvas.put(times, in: column, row: 1)
        }
    }

    /// Draws the steps as a list in a panel, and the number of omitted ones.
    func drawTimelinePanel(on canvas: inout Canvas, in rect: Rect) {
        let inner = canvas.frame(rect, title: localizer(.timeline)).inset(horizontal: 1, vertical: 0)
        let steps = timeline.steps
        guard inner.height > 0, !steps.isEmpty else { return }
        let shown = window(of: min(steps.count, inner.height), in: steps)
        let lines = timelineLines(width: inner.width)
        for (row, line) in lines[shown].enumerated() { canvas.put(line, in: inner, row: row) }
        let after = steps.count - shown.upperBound
        TextBlock.drawEdge(on: &canvas, in: inner, above: shown.lowerBound, below: after, localizer: localizer)
    }

    /// Returns the steps as lines: sign and name, time, and the duration at the right.
    func timelineLines(width: Int) -> [[Span]] {
        let steps = timeline.steps
        let names = min(width / 2, steps.reduce(16) { max($0, TextWidth.of($1.name) + 3) })
        return steps.map { step in
            let (sign, role) = sign(step)
            let name = Printable.truncated(step.name, to: max(1, names - 3), ellipsis: glyphs.ellipsis)
            let timeRole: Role = step.progress == .current ? .accent : .secondary
            var line = [
                Span("\(sign) ", role), Span(name.padding(names - 2), self.role(step.progress)),
                Span(" " + clock(step), timeRole),
            ]
            guard let duration = duration(of: step) else { return line }
            let words = step.progress == .current ? localizer(.forSoFar(duration: duration)) : duration
            let used = line.reduce(0) { $0 + TextWidth.of($1.text) }
            let room = width - used - TextWidth.of(words)
            guard room > 0 else { return line }
            line.append(Span(String(repeating: " ", count: room)))
            line.append(Span(words, step.progress == .current ? .accent : .text))
            return line
        }
    }
}
