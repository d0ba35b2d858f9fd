import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// The drawn check list of the expectations with their evidence.
struct ExpectationList {
    private let block: TextBlock
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
        for (index, result) in state.expectations.enumerated() {
            let start = block.lines.count
            Self.add(result, state, to: &block)
            if index == selected { chosen = start..<block.lines.count }
        }
        self.block = block
        self.chosen = chosen
        area = screen.centered(width: width, height: min(block.lines.count + 3, screen.height - 2))
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

    private static func add(_ result: ExpectationResult, _ state: State, to block: inout TextBlock) {
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
        block.add(.init(sign, role), name, result.outcome == .failed ? .critical : .text, indent: 2)
        let time = result.seconds.map { localizer.span(.seconds($0.rounded())) + localizer(.clauseComma) } ?? ""
        let word = localizer.word(for: result.outcome) + localizer(.clauseComma)
        let verdict = word + time + localizer.verdict(of: result, in: state.settings.zone)
        block.add(nil, verdict, .secondary, indent: 2)
    }

    /// Draws the list so that the selected expectation is visible.
    func draw(on canvas: inout Canvas) {
        canvas.fill(area)
        let inner = canvas.frame(area, title: title, note: note, role: .focusedBorder).inset(horizontal: 1, vertical: 0)
        let parts = inner.rows([.flexible(), .fixed(inner.height > 2 ? 1 : 0)])
        let rows = parts[0]
        let last = max(0, block.lines.count - rows.height)
        let first = min(max(0, chosen.upperBound - rows.height), last, chosen.lowerBound)
        block.draw(on: &canvas, in: rows, from: first, localizer: localizer)
        for row in chosen where row >= first && row < first + rows.height {
            canvas.recolor(rows.row(row - first), role: .selection)
        }
        if !parts[1].isEmpty { canvas.put(hint, in: parts[1], role: .secondary) }
    }
}
