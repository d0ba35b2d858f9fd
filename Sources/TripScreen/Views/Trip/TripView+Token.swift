import Canvas
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

extension TripView {
    /// Says why there is no token of the trip.
    var whyNoToken: String { localizer(trip.lastReport?.isByServer == true ? .readByServerToken : .noTokenAskedFor) }

    /// Draws the lifetime of the token, without the token; the rows are `nil` if there is none.
    func drawToken(_ rows: Rows?, on canvas: inout Canvas, in rect: Rect) {
        let note = trip.token.map { localizer(Talk.name(of: $0.source)) } ?? ""
        let inner = canvas.frame(rect, title: localizer(.viewToken), note: note, role: state.frameRole(.token))
            .inset(horizontal: 1, vertical: 0)
        guard let token = trip.token, let rows else {
            canvas.putWrapped(whyNoToken, in: inner, role: .secondary)
            return
        }
        let life = TokenLife(token, now: serviceNow(token))
        let shown = rows.fitting(inner.height)
        let count = rows.draw(on: &canvas, in: inner)
        rows.drawLeftOut(shown: count, key: String(ViewKind.token.number), on: &canvas, in: inner, localizer: localizer)
        if let bar = shown.firstIndex(where: { $0.spans.isEmpty }) { drawLife(life, on: &canvas, in: inner.row(bar)) }
    }

    /// The lines of the token's panel; `nil` without a token.
    var tokenRows: Rows? { trip.token.map { rows(of: $0, TokenLife($0, now: serviceNow($0))) } }

    private func rows(of token: TokenStatus, _ life: TokenLife) -> Rows {
        var rows = Rows()
        let words = self.words(token, life)
        let left =
            life.left.map {
                [
                    Span(
                        localizer(.timeLeft(duration: localizer.watch(max(.zero, $0)))),
                        trip.end == nil && life.isLow ? .warning : .text
                    )
                ]
            } ?? []
        rows.add([Span(words.text, words.role)], right: left, rank: 0)
        // The bar is drawn over this line.
        if life.fraction != nil { rows.add([], rank: 2) }
        rows.add(times(token), rank: 1)
        if let failure = token.lastError?.failure {
            let sentence = UserMessage(noToken: failure, token, journey: trip.id, localizer: localizer)
            rows.add([Span("\(glyphs.cross) \(sentence.short)", .critical)], right: failures(token), rank: 1)
            if let advice = sentence.advice { rows.add([Span(advice, .warning)], rank: 5) }
        }
        for warning in token.warnings.prefix(3) {
            rows.add(
                [Span("\(glyphs.attention) \(UserMessage(warning, localizer: localizer).short)", .warning)],
                rank: 4
            )
        }
        if let sentence = replacement { rows.add([Span(sentence, .positive)], rank: 2) }
        rows.add(counts(token), rank: 3)
        return rows
    }

    /// That following goes on after a refusal, for a minute after the answer with the next token.
    private var replacement: String? {
        let claim = trip.keyClaims(at: now).first { claim in
            guard case .replaced = claim.kind, let answered = claim.asOf else { return false }
            return now.steady - answered.steady < .seconds(60)
        }
        return claim.flatMap { KeyWords(trip.id, localizer).sentences($0, isShort: true).first }
    }

    /// Returns the issuer's time, because the status uses the service's time.
    func serviceNow(_ token: TokenStatus) -> Date {
        now.wall.addingTimeInterval(token.clockOffset?.seconds ?? 0)
    }

    /// Returns the state in words, including changes by time alone since the last event.
    func words(_ token: TokenStatus, _ life: TokenLife) -> (text: String, role: Role) {
        // The source has given a token, which the service refused.
        if token.state == .failing, token.lastError?.failure.rejection != nil { return words(.invalidated) }
        if token.state == .fetching, token.generation > 0 { return (localizer(.tokenFetchingNext), .accent) }
        guard life.isOver else { return words(token.state) }
        switch token.state {
        case .fresh, .refreshingAhead, .stale:
            return trip.end == nil
                ? (localizer(.tokenExpired), .critical) : (localizer(.tokenExpiredUnneeded), .secondary)
        case .absent, .fetching, .expired, .failing, .denied, .invalidated, .closed:
            return words(token.state)
        }
    }

    private func failures(_ token: TokenStatus) -> [Span] {
        // A refusal of the service is no fetch.
        guard token.failures > 1, token.lastError?.failure.rejection == nil else { return [] }
        return [Span(localizer(.inARow(number: String(token.failures))), .critical)]
    }

    /// Returns `refresh in 0:54 · ends 17:03:10`.
    private func times(_ token: TokenStatus) -> [Span] {
        let now = serviceNow(token)
        var spans: [Span] = []
        if let retry = token.retryAt, token.lastError != nil, retry > now {
            spans.append(
                Span(
                    localizer(.nextTryIn(duration: localizer.watch(.seconds(retry.timeIntervalSince(now))))),
                    .warning
                )
            )
        } else if let refresh = token.refreshAt, trip.end == nil, token.expiresAt.map({ $0 > now }) ?? true {
            let wait = Duration.seconds(refresh.timeIntervalSince(now))
            spans.append(
                Span(
                    wait.seconds >= 1
                        ? localizer(.refreshIn(duration: localizer.watch(wait))) : localizer(.refreshDue),
                    .text
                )
            )
        }
        if let end = token.expiresAt {
            let time = zone.clock(end, now: self.now.wall)
            let words = localizer(end > now ? .endsAt(time: time) : .endedAt(time: time))
            let gap = spans.isEmpty ? "" : " \(glyphs.separator) "
            spans.append(Span(gap + words, .secondary))
        }
        return spans.isEmpty ? [Span(localizer(.endNotKnown), .secondary)] : spans
    }

    private func counts(_ token: TokenStatus) -> [Span] {
        var words = localizer(.fetches(count: token.fetches))
        if let duration = token.lastFetchDuration {
            words += localizer(.lastTook(duration: localizer.latency(duration)))
        }
        return [Span(words, .secondary)]
    }

    /// Returns a state in words.
    private func words(_ state: TokenState) -> (text: String, role: Role) {
        let (phrase, role) = Self.phrase(state)
        return (localizer(phrase), role)
    }

    private static func phrase(_ state: TokenState) -> (Text, Role) {
        switch state {
        case .absent: (.tokenNone, .secondary)
        case .fetching: (.tokenFetching, .accent)
        case .fresh: (.tokenGood, .positive)
        case .refreshingAhead: (.tokenRefreshing, .positive)
        case .stale: (.tokenStale, .warning)
        case .expired: (.tokenExpired, .critical)
        case .failing: (.tokenFailing, .critical)
        case .denied: (.tokenDenied, .critical)
        case .invalidated: (.tokenInvalidated, .critical)
        case .closed: (.tokenClosed, .secondary)
        }
    }
}

/// The remaining lifetime of a token.
struct TokenLife: Sendable, Equatable {
    /// The remaining time; negative after the expiry, `nil` if unknown.
    var left: Duration?
    /// The remaining fraction of the lifetime, 0 to 1; `nil` if unknown.
    var fraction: Double?
    /// The position of the refresh time on the bar, 0 to 1.
    var refreshMark: Double?
    /// Whether the refresh time has passed.
    var isLow = false
    /// Whether the token has expired.
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
