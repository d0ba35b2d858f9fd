import Canvas
import FleetTokens
import Foundation
import TripModel

extension TripView {
    /// The life of the token: never the token.
    func drawToken(on canvas: inout Canvas, in rect: Rect) {
        let note = trip.token.map { "\(Reporter.harmless($0.source, limit: 40))" } ?? ""
        let inner = canvas.frame(rect, title: "Token", note: note).inset(horizontal: 1, vertical: 0)
        guard let token = trip.token else {
            canvas.put("No token was asked for yet", in: inner, role: .secondary)
            return
        }
        let life = TokenLife(token, now: serviceNow(token))
        var rows = Rows()
        let words = self.words(token, life)
        let left =
            life.left.map {
                [Span("\(Wording.watch(max(.zero, $0))) left", trip.end == nil && life.isLow ? .warning : .text)]
            } ?? []
        rows.add([Span(words.text, words.role)], right: left, rank: 0)
        // The bar is drawn over this line.
        rows.add([], rank: life.fraction == nil ? 9 : 2)
        rows.add(times(token), rank: 1)
        if let error = token.lastError {
            let sentence = Sentence(error, trip: trip.id)
            rows.add([Span("\(glyphs.cross) \(sentence.short)", .critical)], right: failures(token), rank: 1)
            if let advice = sentence.advice { rows.add([Span(advice, .warning)], rank: 5) }
        }
        for warning in token.warnings.prefix(3) {
            rows.add([Span("\(glyphs.attention) \(Sentence(warning).short)", .warning)], rank: 4)
        }
        rows.add(counts(token), rank: 3)
        if let fingerprint = token.fingerprint {
            let name = Reporter.harmless(fingerprint, limit: 16)
            rows.add([Span("number \(token.generation), fingerprint \(name)", .secondary)], rank: 6)
        }
        let shown = rows.fitting(inner.height)
        _ = rows.draw(on: &canvas, in: inner)
        guard let fraction = life.fraction, let bar = shown.firstIndex(where: { $0.spans.isEmpty }) else { return }
        let role: Role = life.isOver ? .barCritical : life.isLow ? .barWarning : .barFilled
        canvas.bar(fraction, in: inner.row(bar), role: role, mark: life.refreshMark)
    }

    /// The time at the issuer: the status is told in the service's time.
    func serviceNow(_ token: TokenStatus) -> Date {
        now.wall.addingTimeInterval(token.clockOffset?.seconds ?? 0)
    }

    /// The state in words; one that time alone has changed since the last event, too.
    func words(_ token: TokenStatus, _ life: TokenLife) -> (text: String, role: Role) {
        guard life.isOver else { return Self.words(token.state) }
        switch token.state {
        case .fresh, .refreshingAhead, .stale:
            return trip.end == nil ? ("expired", .critical) : ("expired, not needed any more", .secondary)
        case .absent, .fetching, .expired, .failing, .denied, .invalidated, .closed:
            return Self.words(token.state)
        }
    }

    private func failures(_ token: TokenStatus) -> [Span] {
        token.failures > 1 ? [Span("\(token.failures) in a row", .critical)] : []
    }

    /// `refresh in 0:54 · ends 17:03:10`.
    private func times(_ token: TokenStatus) -> [Span] {
        let now = serviceNow(token)
        var spans: [Span] = []
        if let retry = token.retryAt, token.lastError != nil, retry > now {
            spans.append(Span("next try in \(Wording.watch(.seconds(retry.timeIntervalSince(now))))", .warning))
        } else if let refresh = token.refreshAt, trip.end == nil, token.expiresAt.map({ $0 > now }) ?? true {
            let wait = Duration.seconds(refresh.timeIntervalSince(now))
            spans.append(Span(wait.seconds >= 1 ? "refresh in \(Wording.watch(wait))" : "refresh is due", .text))
        }
        if let end = token.expiresAt {
            let verb = end > now ? "ends" : "ended"
            let gap = spans.isEmpty ? "" : " \(glyphs.separator) "
            spans.append(Span("\(gap)\(verb) \(zone.clock(end, now: self.now.wall))", .secondary))
        }
        return spans.isEmpty ? [Span("end not known", .secondary)] : spans
    }

    private func counts(_ token: TokenStatus) -> [Span] {
        var words = Wording.count(token.fetches, "fetch", plural: "fetches")
        if let duration = token.lastFetchDuration { words += ", the last took \(Wording.latency(duration))" }
        return [Span(words, .secondary)]
    }

    /// A state in words.
    static func words(_ state: TokenState) -> (text: String, role: Role) {
        switch state {
        case .absent: ("none yet", .secondary)
        case .fetching: ("fetching the first one", .accent)
        case .fresh: ("good", .positive)
        case .refreshingAhead: ("good, fetching the next", .positive)
        case .stale: ("good, but no new one yet", .warning)
        case .expired: ("expired", .critical)
        case .failing: ("none, the last try failed", .critical)
        case .denied: ("denied", .critical)
        case .invalidated: ("refused by the service", .critical)
        case .closed: ("closed", .secondary)
        }
    }
}

/// How much of a token's life is left.
struct TokenLife: Sendable, Equatable {
    /// What is left; negative after the end, `nil` where the end is not known.
    var left: Duration?
    /// What is left as a share of the life, 0 to 1; `nil` where the life is not known.
    var fraction: Double?
    /// Where on the bar the refresh is due, 0 to 1.
    var refreshMark: Double?
    /// Whether the time of the refresh has passed.
    var isLow = false
    /// Whether it is over.
    var isOver = false

    init(_ status: TokenStatus, now: Date) {
        guard let end = status.expiresAt else { return }
        let rest = end.timeIntervalSince(now)
        left = .seconds(rest)
        isOver = rest <= 0
        isLow = status.refreshAt.map { $0 <= now } ?? (rest < 30)
        guard let start = status.issuedAt, end > start else { return }
        let life = end.timeIntervalSince(start)
        fraction = min(1, max(0, rest / life))
        refreshMark = status.refreshAt.map { min(1, max(0, end.timeIntervalSince($0) / life)) }
    }
}
