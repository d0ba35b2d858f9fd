import Canvas
import TripFeed
import TripModel

extension TripView {
    private var timeline: Timeline { Timeline(of: trip.state, at: now, say: say) }

    /// The sign before a step.
    private func sign(_ step: Timeline.Step) -> (String, Role) {
        if step.status == .canceled { return (glyphs.cross, .warning) }
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

    /// `17:04:31`, `≈17:04:31` where it is an estimate, `≤17:04:31` where it was so before.
    private func clock(_ step: Timeline.Step) -> String {
        guard let time = step.time else { return step.progress == .missed ? say(.stepNotSeen) : glyphs.unknown }
        let clock = zone.clock(time)
        switch step.certainty {
        case .actual, .seen: return clock
        case .estimated: return "≈\(clock)"
        case .before: return "≤\(clock)"
        }
    }

    /// The steps side by side, as many as fit around the present one, over two rows.
    func drawTimelineStrip(on canvas: inout Canvas, in rect: Rect) {
        let place = rect.inset(horizontal: 1, vertical: 0)
        let steps = timeline.steps
        guard !steps.isEmpty, place.height > 1 else { return }
        // The names of some languages are longer; they may take a little more room than the times.
        let wanted = steps.reduce(max(14, zone.clockWidth + 4)) { max($0, TextWidth.of($1.name) + 3) }
        let count = min(steps.count, max(1, place.width / min(20, wanted)))
        let current = steps.lastIndex { $0.progress == .current || $0.progress == .passed } ?? 0
        let first = min(max(0, current - count / 2), steps.count - count)
        let columns = place.columns(Array(repeating: .flexible(), count: count))
        for (column, step) in zip(columns, steps[first..<(first + count)]) {
            let (sign, role) = sign(step)
            let name = Rect(x: column.x, y: column.y, width: column.width - 1, height: 1)
            canvas.put([Span("\(sign) ", role), Span(step.name, self.role(step.progress))], in: name)
            var times = [Span("  \(clock(step))", step.progress == .current ? .accent : .secondary)]
            if let duration = step.duration.map(say.watch), step.progress == .passed,
                TextWidth.of(times[0].text) + 1 + duration.count <= column.width
            {
                times.append(Span(" \(duration)", .text))
            }
            canvas.put(times, in: column, row: 1)
        }
    }

    /// The steps below one another.
    func drawTimelinePanel(on canvas: inout Canvas, in rect: Rect) {
        let inner = canvas.frame(rect, title: say(.timeline)).inset(horizontal: 1, vertical: 0)
        let steps = timeline.steps
        guard inner.height > 0, !steps.isEmpty else { return }
        let count = min(steps.count, inner.height)
        let current = steps.lastIndex { $0.progress == .current || $0.progress == .passed } ?? 0
        let first = min(max(0, current - count / 2), steps.count - count)
        let names = min(inner.width / 2, steps.reduce(16) { max($0, TextWidth.of($1.name) + 3) })
        for (row, step) in steps[first..<(first + count)].enumerated() {
            let (sign, role) = sign(step)
            let name = Rect(x: inner.x, y: inner.y + row, width: names - 1, height: 1)
            canvas.put([Span("\(sign) ", role), Span(step.name, self.role(step.progress))], in: name)
            let times = Rect(x: inner.x + names, y: inner.y + row, width: inner.width - names, height: 1)
            let timeRole: Role = step.progress == .current ? .accent : .secondary
            // Estimates have a sign before them; the digits stay below one another.
            let text = clock(step)
            let isPlain = text.unicodeScalars.first.map { ("0"..."9").contains($0) } ?? false
            let used = canvas.put((isPlain ? " " : "") + text, in: times, role: timeRole)
            guard let duration = step.duration else { continue }
            let words = step.progress == .current ? say(.forSoFar, say.watch(duration)) : say.watch(duration)
            guard used + TextWidth.of(words) < times.width else { continue }
            canvas.put(words, in: inner, row: row, align: .right, role: step.progress == .current ? .accent : .text)
        }
    }
}
