import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// Draws the findings, the most severe first; each rule appears once with its latest evidence.
///
/// A wide screen has a list of the rules at the left, and the details of the chosen one at the right.
struct FindingsView {
    let trip: TripView
    /// The number of rows above the first visible one, or in a wide view the number of the chosen rule.
    var scroll = 0

    typealias Span = Canvas.Span
    var localizer: Localizer { trip.localizer }

    /// The findings of one rule.
    struct Group {
        var findings: [Finding]
        var last: Finding

        init(_ first: Finding) { (findings, last) = ([first], first) }

        /// The worst severity.
        var severity: Finding.Severity { findings.map(\.severity).max() ?? last.severity }
    }

    /// The narrowest view with details.
    private static let narrowestDetails = 100

    /// Returns the maximum scroll offset of the view, or in a wide one the number of the last rule.
    static func lastRow(of trip: TripView, width: Int) -> Int {
        let view = FindingsView(trip: trip)
        return width < narrowestDetails ? 500 : max(0, view.groups(trip.trip.findings).count - 1)
    }

    /// Returns the places of the findings of the chosen rule, or in a narrow view of all rules, each with the newest first.
    func shown(width: Int) -> [Int] {
        let findings = trip.trip.findings
        var rules = groups(findings).map(\.last.rule)
        if width >= Self.narrowestDetails, !rules.isEmpty { rules = [rules[chosen(of: rules.count)]] }
        return rules.flatMap { rule in findings.indices.reversed().filter { findings[$0].rule == rule } }
    }

    /// Returns the place of the chosen rule among the rules of a wide view.
    func chosen(of count: Int) -> Int { min(scroll, count - 1) }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let findings = trip.trip.findings
        let hasDetails = rect.width >= Self.narrowestDetails && !findings.isEmpty
        // The caption of the picture of reports has 58 columns, beside its margins.
        let details = rect.width < 140 ? max(rect.width / 2, 66) : rect.width * 3 / 5
        let columns = rect.columns([.flexible(), .fixed(hasDetails ? details : 0)])
        let inner = canvas.frame(columns[0], title: localizer(.viewFindings), note: summary(findings)).inset(
            horizontal: 1,
            vertical: 0
        )
        guard !findings.isEmpty else {
            let (text, role) = nothing
            var block = TextBlock(width: inner.width)
            block.add(nil, text, role)
            addRules(to: &block)
            return block.draw(
                on: &canvas,
                in: inner,
                from: scroll,
                localizer: localizer
            )
        }
        guard !hasDetails else {
            return drawChosen(of: groups(findings), on: &canvas, list: inner, details: columns[1])
        }
        var block = TextBlock(width: inner.width)
        for group in groups(findings) { add(group, to: &block) }
        block.draw(on: &canvas, in: inner, from: scroll, localizer: localizer)
    }

    /// Why there are no findings: no problem, or no data.
    private var nothing: (text: String, role: Role) {
        let rules = String(FindingRule.all.count)
        guard trip.trip.lastReport != nil else {
            return (localizer(.findingsNoAnswer(rules: rules)), .secondary)
        }
        guard let failed = trip.trip.failedPoll else { return (localizer(.findingsNone(rules: rules)), .secondary) }
        let sentence = failed.message(about: trip.trip.id, trip.state.settings)
        return (localizer(.findingsNotFollowed(cause: sentence.what, rules: rules)), .warning)
    }

    /// Adds the names of all rules in columns, with the sign of a check if an answer was checked.
    func addRules(to block: inout TextBlock, except found: Set<FindingRule> = []) {
        let names = FindingRule.all.filter { !found.contains($0) }.map { localizer.text($0.title) }
        let width = 4 + names.reduce(0) { max($0, TextWidth.of($1)) }
        let columns = max(1, block.width / width)
        let lines = (names.count + columns - 1) / columns
        let isChecked = trip.trip.lastReport?.failure == nil && trip.trip.lastReport != nil
        let sign = isChecked ? Span("\(trip.glyphs.check) ", .positive) : Span("\(trip.glyphs.pending) ", .secondary)
        block.add([])
        for line in 0..<lines {
            let row = stride(from: line, to: names.count, by: lines).flatMap {
                [sign, Span(names[$0].padding(width - 2), .secondary)]
            }
            block.add(row)
        }
    }

    /// Returns `1 error, 2 warnings, 3 notes`; empty if there are none.
    private func summary(_ findings: SharedArray<Finding>) -> String {
        func count(_ severity: Finding.Severity, _ text: (Int) -> Text) -> String? {
            let number = findings.count { $0.severity == severity }
            return number == 0 ? nil : localizer(text(number))
        }
        return [
            count(.error, Text.findingErrors), count(.warning, Text.findingWarnings), count(.info, Text.findingNotes),
        ]
        .compactMap(\.self).joined(separator: localizer(.clauseComma))
    }

    private func groups(_ findings: SharedArray<Finding>) -> [Group] {
        var groups: [FindingRule: Group] = [:]
        for finding in findings {
            if groups[finding.rule] == nil {
                groups[finding.rule] = Group(finding)
            } else {
                groups[finding.rule]?.findings.append(finding)
                groups[finding.rule]?.last = finding
            }
        }
        return groups.values.sorted {
            ($0.severity, $0.last.time, $0.last.rule.id) > ($1.severity, $1.last.time, $1.last.rule.id)
        }
    }

    func sign(_ severity: Finding.Severity) -> Span {
        let glyphs = trip.glyphs
        return switch severity {
        case .error: Span("\(glyphs.cross) ", .critical)
        case .warning: Span("\(glyphs.attention) ", .warning)
        case .info: Span("\(glyphs.bullet) ", .accent)
        }
    }

    /// Draws the rules with findings in a panel, the most severe first, or that there are none.
    func drawList(on canvas: inout Canvas, in rect: Rect) {
        let findings = trip.trip.findings
        let inner = canvas.frame(rect, title: localizer(.viewFindings), note: summary(findings))
            .inset(horizontal: 1, vertical: 0)
        guard !findings.isEmpty else {
            let (text, role) = nothing
            canvas.putWrapped(text, in: inner, role: role)
            return
        }
        let groups = groups(findings)
        table(of: groups, width: inner.width).draw(on: &canvas, in: inner)
        let below = groups.count - max(0, inner.height - 1)
        TextBlock.drawEdge(on: &canvas, in: inner, above: 0, below: below, localizer: localizer)
    }

    /// The narrowest table with the time of the first finding of a rule.
    private static let narrowestFirst = 48

    /// Returns the table of the rules: what was found, how often, and when first and last.
    func table(of groups: [Group], width: Int) -> Table {
        func column(_ title: Text, _ width: Int) -> Table.Column {
            let title = localizer(title)
            return Table.Column(title: title, width: min(width + 4, max(width, TextWidth.of(title))), isRight: true)
        }
        let (clock, hasFirst) = (trip.zone.clockWidth, width >= Self.narrowestFirst)
        var table = Table(columns: [Table.Column(title: localizer(.columnFinding)), column(.columnTimes, 5)])
        if hasFirst { table.columns.append(column(.columnFirst, clock)) }
        table.columns.append(column(.columnLast, clock))
        table.rows = groups.map { group in
            let sign = sign(group.severity)
            var cells = [
                [sign, Span(UserMessage(group.last, localizer: localizer).short, sign.role)],
                [Span(String(group.findings.count))],
            ]
            if hasFirst {
                // The oldest findings of many have been dropped.
                let isWhole = trip.trip.findings.count < FollowedTrip.maximumFindings
                let first = isWhole ? group.findings.first.map { trip.zone.clock($0.time) } : nil
                cells.append([Span(first ?? trip.glyphs.unknown, .secondary)])
            }
            return cells + [[Span(trip.zone.clock(group.last.time), .secondary)]]
        }
        return table
    }

    private func times(_ group: Group) -> String {
        group.findings.count == 1 ? "" : localizer(.findingTimes(number: String(group.findings.count)))
    }

    private func add(_ group: Group, to block: inout TextBlock) {
        let sign = sign(group.severity)
        let sentence = UserMessage(group.last, localizer: localizer)
        block.add([
            sign, Span(sentence.short, sign.role),
            Span("  \(trip.zone.clock(group.last.time))\(times(group))  ", .secondary),
            Span(group.last.rule.id, .secondary),
        ])
        block.add(nil, sentence.what + localizer(.fullStop), .text, indent: 2)
        if let advice = sentence.remedy { block.add(nil, advice, .secondary, indent: 2) }
        addReports(of: group, to: &block)
        block.add([])
    }

    /// Adds the times between the vehicle's reports to a finding about them.
    func addReports(of group: Group, to block: inout TextBlock) {
        guard group.last.rule.limits.contains(where: ReportHistogram.thresholds.contains) else { return }
        let intervals = trip.trip.state.reportIntervals(until: group.last.time, most: ReportHistogram.mostIntervals)
        ReportHistogram(intervals, limits: trip.state.settings.limits).add(to: &block, trip.glyphs, localizer)
    }
}
