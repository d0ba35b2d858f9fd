import Canvas
import FleetTokens
import TripText

/// Draws the states of a token as a diagram with the current one highlighted.
struct TokenDiagram {
    let state: TokenState
    let glyphs: GlyphSet
    let localizer: Localizer

    private typealias Span = Canvas.Span

    /// Four lines of up to 60 columns for short state names.
    ///
    /// ```text
    ///  none ──▶ fetching ──▶ good ──▶ refreshing ──▶ good
    ///              │           │          └──▶ overdue ──▶ expired
    ///              ├──▶ failing└──▶ refused ──▶ fetching
    ///              └──▶ denied
    /// ```
    var lines: [[Canvas.Span]] {
        let to = Span(" \(line)\(line)\(glyphs.pointer) ", .border)
        let corner = Span("\(glyphs.box.bottomLeft)\(line)\(glyphs.pointer) ", .border)
        let tee = Span("\(glyphs.box.teeRight)\(line)\(glyphs.pointer) ", .border)
        let bar = Span(glyphs.box.vertical, .border)
        let states: [TokenState] = [.absent, .fetching, .fresh, .refreshingAhead]
        let first = states.flatMap { [box($0), to] } + [plain(.diagramGood)]
        // The columns of the names with a line down.
        func start(_ index: Int) -> Int { width(Array(first[..<(2 * index)])) }
        let fetching = start(1) + 3
        let failing = [gap(fetching), tee, box(.failing)]
        let denied = [gap(fetching), corner, box(.denied)]
        // The line back from a good token is below it, or further right if the names to its left are long.
        let good = max(start(2) + 3, width(failing) + 1)
        let refreshing = max(start(3) + 2, good + 2)
        return [
            first,
            [gap(fetching), bar, gap(good - fetching - 1), bar, gap(refreshing - good - 1), corner, box(.stale), to]
                + [box(.expired)],
            failing + [gap(good - width(failing)), corner, box(.invalidated), to, plain(.diagramFetching)],
            denied + (state == .closed ? [gap(4), box(.closed)] : []),
        ]
    }

    private func width(_ spans: [Span]) -> Int { spans.reduce(0) { $0 + TextWidth.of($1.text) } }

    private func plain(_ name: StringKey) -> Span { Span(" \(localizer(name)) ", .secondary) }

    private var line: String { glyphs.box.horizontal }

    private func gap(_ count: Int) -> Span { Span(String(repeating: " ", count: count)) }

    private func box(_ state: TokenState) -> Span {
        Span(" \(localizer(Self.name(state))) ", state == self.state ? Self.badge(state) : .secondary)
    }

    private static func name(_ state: TokenState) -> StringKey {
        switch state {
        case .absent: .diagramNone
        case .fetching: .diagramFetching
        case .fresh: .diagramGood
        case .refreshingAhead: .diagramRefreshing
        case .stale: .diagramOverdue
        case .expired: .diagramExpired
        case .failing: .diagramFailing
        case .denied: .diagramDenied
        case .invalidated: .diagramRefused
        case .closed: .diagramClosed
        }
    }

    private static func badge(_ state: TokenState) -> Role {
        switch state {
        case .absent, .fetching, .closed: .badge
        case .fresh, .refreshingAhead: .badgePositive
        case .stale: .badgeWarning
        case .expired, .failing, .denied, .invalidated: .badgeCritical
        }
    }
}
