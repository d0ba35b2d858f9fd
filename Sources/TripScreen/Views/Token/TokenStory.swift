import Canvas
import FleetTokens
import Foundation
import Runtime
import TripText

extension TripView {
    /// Says what a token is doing now and what happens next, in one sentence; `isOver` if no token is needed any more.
    ///
    /// In fewer columns than the sentence needs, one that only says when the next token comes is shorter; `hasRows` if there
    /// is room for several lines, so that the reason for no token is never left out.
    func story(
        of token: TokenStatus,
        _ life: TokenLife,
        isOver: Bool,
        width: Int = .max,
        hasRows: Bool = false
    ) -> Canvas.Span {
        let now = serviceNow(token)
        let number = String(token.generation)
        func wait(until date: Date?) -> String? {
            guard let date, date > now else { return nil }
            return localizer.span(.seconds(date.timeIntervalSince(now).rounded(.up)))
        }
        let left = wait(until: token.expiresAt)
        if isOver || token.state == .closed { return Canvas.Span(localizer(.storyClosed), .secondary) }
        switch token.state {
        case .absent: return Canvas.Span(localizer(.storyAbsent), .secondary)
        case .fetching: return Canvas.Span(localizer(.storyFetching), .accent)
        case .fresh, .refreshingAhead, .stale, .expired:
            guard let left, !life.isOver else {
                return Canvas.Span(localizer(.storyExpired(number: number)), .critical)
            }
            if token.state == .stale || token.lastError != nil {
                return Canvas.Span(localizer(.storyOverdue(number: number, duration: left)), .warning)
            }
            if token.state == .refreshingAhead {
                return Canvas.Span(localizer(.storyRefreshing(number: number)), .positive)
            }
            guard let refresh = wait(until: token.refreshAt) else {
                return Canvas.Span(localizer(.storyGood(number: number, duration: left)), .positive)
            }
            let text = localizer(.storyGoodUntil(number: number, duration: refresh))
            let short = Text.storyGoodUntilShort(number: number, duration: refresh)
            return Canvas.Span(TextWidth.of(text) <= width ? text : localizer(short), .positive)
        case .failing:
            let retry = wait(until: token.retryAt)
            let text = localizer(withoutToken(token, retry: retry))
            guard !hasRows, TextWidth.of(text) > width, let retry else { return Canvas.Span(text, .critical) }
            return Canvas.Span(localizer(.storyNextTry(duration: retry)), .critical)
        case .denied: return Canvas.Span(localizer(.storyDenied), .critical)
        case .invalidated: return Canvas.Span(localizer(.storyRejected(number: number)), .critical)
        case .closed: return Canvas.Span(localizer(.storyClosed), .secondary)
        }
    }

    /// Says why there is no token: what is said about the source needs a failure of the source.
    private func withoutToken(_ token: TokenStatus, retry: String?) -> Text {
        guard let failure = token.lastError?.failure else { return .tokenNone }
        if failure.rejection != nil {
            let number = String(token.generation)
            return retry.map { .storyRefusedUntil(number: number, duration: $0) } ?? .storyRefused(number: number)
        }
        if failure.code == .tokenUnusable {
            return retry.map { .storyUnusableUntil(duration: $0) } ?? .storyUnusable
        }
        return retry.map { .storyFailingUntil(duration: $0) } ?? .storyFailing
    }

    /// Draws the remaining lifetime as a bar.
    func drawLife(_ life: TokenLife, on canvas: inout Canvas, in row: Rect) {
        guard let fraction = life.fraction else { return }
        let role: Role = life.isOver ? .barCritical : life.isLow ? .barWarning : .barFilled
        canvas.bar(fraction, in: row, role: role, mark: life.refreshMark)
    }
}
