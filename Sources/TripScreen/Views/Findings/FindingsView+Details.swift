import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// The list and the details of a wide screen.
extension FindingsView {
    func drawChosen(of groups: [Group], on canvas: inout Canvas, list: Rect, details: Rect) {
        let chosen = chosen(of: groups.count)
        var table = table(of: groups, width: list.width)
        let visible = max(0, list.height - 1)
        table.first = max(0, min(chosen - visible / 2, groups.count - visible))
        table.chosen = chosen
        table.draw(on: &canvas, in: list)
        let below = list.rows([.fixed(groups.count + 2), .flexible()])[1]
        drawOtherRules(than: Set(groups.map(\.last.rule)), on: &canvas, in: below)
        draw(groups[chosen], on: &canvas, in: details)
    }

    private func draw(_ group: Group, on canvas: inout Canvas, in rect: Rect) {
        let sentence = UserMessage(group.last, localizer: localizer)
        let title = sentence.short.prefix(1).uppercased() + sentence.short.dropFirst()
        let inner = canvas.frame(rect, title: title, note: group.last.rule.id).inset(horizontal: 1, vertical: 0)
        var block = TextBlock(width: inner.width)
        block.add(sign(group.severity), sentence.what + localizer(.fullStop), .text)
        if let advice = sentence.remedy { block.add(nil, advice, .warning, indent: 2) }
        addReports(of: group, to: &block)
        block.add([])
        addFindings(of: group, to: &block, height: inner.height)
        block.draw(on: &canvas, in: inner, from: 0, localizer: localizer)
    }

    /// Adds the findings of a rule, the newest first, each with the events that have shown it if there is room for those of all.
    private func addFindings(of group: Group, to block: inout TextBlock, height: Int) {
        var (short, whole) = (block, block)
        let (findings, indent) = (trip.trip.findings, trip.zone.clockWidth + 1)
        // A finding with its events has at least three lines; the events of many are not searched for.
        let hasEvents = block.lines.count + 3 * group.findings.count <= height && !isExplained
        for place in findings.indices.reversed() where findings[place].rule == group.last.rule {
            let time = Span(trip.zone.clock(findings[place].time), .secondary)
            let what = UserMessage(findings[place], localizer: localizer).what + localizer(.fullStop)
            short.add(time, what, .text)
            guard hasEvents else { continue }
            whole.add(time, what, .text)
            let statements = Evidence(view: trip).statements(ofFindings: [place])
            // The rule is in the frame.
            for row in statements.flatMap({ $0.rows(trip.zone, localizer) }).dropFirst()
            where row.text.value != group.last.rule.id {
                whole.add(nil, row.text.value, .secondary, indent: indent)
            }
        }
        block = hasEvents && whole.lines.count <= height ? whole : short
    }

    /// Whether the panel with the evidence is open, so that the view need not repeat it.
    private var isExplained: Bool {
        if case .details(.evidence, _)? = trip.state.overlay { true } else { false }
    }

    /// Draws the names of the rules without findings below the list, if there is room for all of them.
    private func drawOtherRules(than found: Set<FindingRule>, on canvas: inout Canvas, in rect: Rect) {
        guard rect.width > 0 else { return }
        var block = TextBlock(width: rect.width)
        block.add([Span(localizer(.findingsOtherRules), .heading)])
        addRules(to: &block, except: found)
        guard block.lines.count <= rect.height else { return }
        block.draw(on: &canvas, in: rect, from: 0, localizer: localizer)
    }
}
