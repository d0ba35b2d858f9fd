import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// The drawn check list of the expectations with their evidence.
struct ExpectationList {
    private let block: TextBlock
    /// The headings of the columns; empty in a narrow list, which has the verdict of each expectation below it.
    private let heading: [Canvas.Span]
    private let area: Rect
    private let title: String
    private let note: String
    private let hint: String
    /// The rows of the selected expectation.
    private let chosen: Range<Int>
    private let localizer: Localizer

    init(of state: State, chosen selected: Int) {
        let localizer = state.settings.localizer
        self.localizer = localizer
        let screen = Rect(x: 0, y: 0, width: state.width, height: state.height)
        let width = screen.width <= 84 ? screen.width : min(screen.width - 8, 110)
        var block = TextBlock(width: width - 4)
        var chosen = 0..<0
        let columns = block.width < Self.narrowestColumns ? nil : Columns(of: state, width: block.width)
        heading = columns?.heading(localizer) ?? []
        for (index, result) in state.expectations.enumerated() {
            let start = block.lines.count
            Self.add(result, state, columns, to: &block)
            if index == selected { chosen = start..<block.lines.count }
        }
        self.block = block
        self.chosen = chosen
        let rows = block.lines.count + (heading.isEmpty ? 3 : 4)
        area = screen.centered(width: width, height: min(rows, screen.height - 2))
        title = localizer(.expectationsTitle)
        func count(_ outcome: ExpectationResult.Outcome) -> String {
            String(state.expectations.count { $0.outcome == outcome })
        }
        note = localizer(
            .expectationsCounts(
                passed: count(.passed),
                failed: count(.failed),
                skipped: count(.skipped),
                pending: count(.pending)
            )
        )
        hint = localizer(.expectationsKeys)
    }

    /// The narrowest list with columns.
    private static let narrowestColumns = 90

    /// The widths of the columns: name, outcome, and verdict in the rest.
    private struct Columns {
        let (name, outcome): (Int, Int)

        init(of state: State, width: Int) {
            let localizer = state.settings.localizer
            let words = state.expectations.map { TextWidth.of(localizer.word(for: $0.outcome)) }
            outcome = max(TextWidth.of(localizer(.columnResult)), words.max() ?? 0)
            name = width / 3
        }

        func heading(_ localizer: Localizer) -> [Canvas.Span] {
            let text =
                "  " + localizer(.columnExpectation).padding(name - 1) + localizer(.columnResult).padding(outcome + 2)
                + localizer(.columnEvidence)
            return [.init(text, .secondary)]
        }
    }

    private static func add(_ result: ExpectationResult, _ state: State, _ columns: Columns?, to block: inout TextBlock)
    {
        let (glyphs, localizer) = (state.settings.glyphs, state.settings.localizer)
        let (sign, role): (String, Role) =
            switch result.outcome {
            case .passed: (glyphs.check, .positive)
            case .failed: (glyphs.cross, .critical)
            case .skipped: (glyphs.bullet, .secondary)
            case .undecided: (glyphs.attention, .warning)
            case .pending: result.isAsking ? (glyphs.attention, .warning) : (glyphs.bullet, .accent)
            }
        var name = result.expectation.name.sanitized(limit: 200)
        if state.trips.count > 1, let trip = result.journey { name += "  (\(trip.rawValue.sanitized(limit: 64)))" }
        let nameRole: Role = result.outcome == .failed ? .critical : .text
        let time = result.seconds.map { localizer.span(.seconds($0.rounded())) + localizer(.clauseComma) } ?? ""
        let word = localizer.word(for: result.outcome)
        let verdict = time + localizer.verdict(of: result, in: state.settings.zone)
        guard let columns else {
            block.add(.init(sign, role), name, nameRole, indent: 2)
            block.add(nil, word + localizer(.clauseComma) + verdict, .secondary, indent: 2)
            return
        }
        let names = Printable.wrapped(name, to: columns.name - 3)
        let verdicts = Printable.wrapped(verdict, to: max(1, block.width - columns.name - columns.outcome - 3))
        for row in 0..<max(names.count, verdicts.count) {
            func cell(_ texts: [String]) -> String { texts.indices.contains(row) ? texts[row] : "" }
            block.add([
                .init((row == 0 ? sign : "").padding(2), role), .init(cell(names).padding(columns.name - 1), nameRole),
                .init((row == 0 ? word : "").padding(columns.outcome + 2), role),
                .init(cell(verdicts), .secondary),
            ])
        }
    }

    /// Draws the list so that the selected expectation is visible.
    func draw(on canvas: inout Canvas) {
        canvas.fill(area)
        let inner = canvas.frame(area, title: title, note: note, role: .focusedBorder).inset(horizontal: 1, vertical: 0)
        let hasHeading = !heading.isEmpty && inner.height > 2
        let parts = inner.rows([.fixed(hasHeading ? 1 : 0), .flexible(), .fixed(inner.height > 2 ? 1 : 0)])
        if hasHeading { canvas.put(heading, in: parts[0]) }
        let rows = parts[1]
        let last = max(0, block.lines.count - rows.height)
        let first = min(max(0, chosen.upperBound - rows.height), last, chosen.lowerBound)
        block.draw(on: &canvas, in: rows, from: first, localizer: localizer)
        for row in chosen where row >= first && row < first + rows.height {
            canvas.recolor(rows.row(row - first), role: .selection)
        }
        if !parts[2].isEmpty { canvas.put(hint, in: parts[2], role: .secondary) }
    }
}
