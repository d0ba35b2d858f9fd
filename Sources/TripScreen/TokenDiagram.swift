import Canvas
import FleetTokens

/// The life of a token as a drawing of its states, the present one on coloured ground.
struct TokenDiagram {
    let state: TokenState
    let glyphs: GlyphSet

    private typealias Span = Canvas.Span

    /// Four lines of up to 60 columns.
    ///
    /// ```text
    ///  none ──▶ fetching ──▶ good ──▶ refreshing ──▶ good
    ///              │           │          └──▶ overdue ──▶ expired
    ///              ├──▶ failing└──▶ refused ──▶ fetching
    ///              └──▶ denied
    /// ```
    var lines: [[Canvas.Span]] {
        let to = Span(" \(line)\(line)\(glyphs.pointer) ", .border)
        let corner = "\(glyphs.box.bottomLeft)\(line)\(glyphs.pointer) "
        let tee = "\(glyphs.box.teeRight)\(line)\(glyphs.pointer) "
        let bar = glyphs.box.vertical
        return [
            [
                box(.absent), to, box(.fetching), to, box(.fresh), to, box(.refreshingAhead), to,
                Span(" good ", .secondary),
            ],
            [gap(14), Span(bar, .border), gap(14), Span(bar, .border), gap(9), Span(corner, .border), box(.stale), to]
                + [box(.expired)],
            [gap(14), Span(tee, .border), box(.failing), gap(2), Span(corner, .border), box(.invalidated), to]
                + [Span(" fetching ", .secondary)],
            [gap(14), Span(corner, .border), box(.denied)] + (state == .closed ? [gap(4), box(.closed)] : []),
        ]
    }

    private var line: String { glyphs.box.horizontal }

    private func gap(_ count: Int) -> Span { Span(String(repeating: " ", count: count)) }

    private func box(_ state: TokenState) -> Span {
        Span(" \(Self.name(state)) ", state == self.state ? Self.badge(state) : .secondary)
    }

    private static func name(_ state: TokenState) -> String {
        switch state {
        case .absent: "none"
        case .fetching: "fetching"
        case .fresh: "good"
        case .refreshingAhead: "refreshing"
        case .stale: "overdue"
        case .expired: "expired"
        case .failing: "failing"
        case .denied: "denied"
        case .invalidated: "refused"
        case .closed: "closed"
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
