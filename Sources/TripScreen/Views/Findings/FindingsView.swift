import Canvas
import TripFeed
import TripModel
import TripText

/// Draws the findings, the most severe first; each rule appears once with its latest evidence.
struct FindingsView {
    let trip: TripView

    private typealias Span = Canvas.Span
    private var localizer: Localizer { trip.localizer }

    /// The findings of one rule.
    private struct Group {
        var last: Finding
        var count: Int
    }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let findings = trip.trip.findings
        let inner = canvas.frame(rect, title: localizer(.viewFindings), note: summary(findings)).inset(
            horizontal: 1,
            vertical: 0
        )
        guard !findings.isEmpty else {
            let (text, role) = nothing
            canvas.putWrapped(text, in: inner, role: role)
            return
        }
        var block = TextBlock(width: inner.width)
        for group in groups(findings) { add(group, to: &block) }
        block.draw(on: &canvas, in: inner, from: trip.state.scroll[.findings] ?? 0, localizer: localizer)
    }

    /// Why there are no findings: no problem, or no data.
    private var nothing: (text: String, role: Role) {
        let rules = String(FindingRule.all.count)
        guard let report = trip.trip.lastReport else {
            return (localizer(.findingsNoAnswer, ["rules": rules]), .secondary)
        }
        guard let failure = report.failure else { return (localizer(.findingsNone, ["rules": rules]), .secondary) }
        let sentence = UserMessage(failure, trip: trip.trip.id, host: trip.state.settings.host, localizer: localizer)
        return (localizer(.findingsNotFollowed, ["cause": sentence.what, "rules": rules]), .warning)
    }

    /// Returns `1 error, 2 warnings, 3 notes`; empty if there are none.
    private func summary(_ findings: SharedArray<Finding>) -> String {
        func count(_ severity: Finding.Severity, _ noun: StringKey) -> String? {
            let number = findings.count { $0.severity == severity }
            return number == 0 ? nil : localizer.count(number, noun)
        }
        return [count(.error, .findingErrors), count(.warning, .findingWarnings), count(.info, .findingNotes)]
            .compactMap(\.self).joined(separator: localizer(.clauseComma))
    }

    private func groups(_ findings: SharedArray<Finding>) -> [Group] {
        var groups: [FindingRule: Group] = [:]
        for finding in findings {
            let known = groups[finding.rule]
            groups[finding.rule] = Group(last: finding, count: (known?.count ?? 0) + 1)
        }
        return groups.values.sorted {
            ($0.last.severity, $0.last.time, $0.last.rule.id)
                > ($1.last.severity, $1.last.time, $1.last.rule.id)
        }
    }

    private func add(_ group: Group, to block: inout TextBlock) {
        let glyphs = trip.glyphs
        let (sign, role): (String, Role) =
            switch group.last.severity {
            case .error: (glyphs.cross, .critical)
            case .warning: (glyphs.attention, .warning)
            case .info: (glyphs.bullet, .accent)
            }
        let sentence = UserMessage(group.last, localizer: localizer)
        let times = group.count == 1 ? "" : localizer(.findingTimes, ["number": String(group.count)])
        block.add([
            Span("\(sign) ", role), Span(sentence.short, role),
            Span("  \(trip.zone.clock(group.last.time))\(times)  ", .secondary),
            Span(group.last.rule.id, .secondary),
        ])
        block.add(nil, sentence.what + localizer(.fullStop), .text, indent: 2)
        if let advice = sentence.remedy { block.add(nil, advice, .secondary, indent: 2) }
        block.add([])
    }
}
