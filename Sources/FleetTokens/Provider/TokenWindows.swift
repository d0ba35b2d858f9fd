/// The two time windows of one token, derived from its lifetime.
package struct TokenWindows: Sendable, Equatable {
    /// *M*: the minimum remaining lifetime of a returned token.
    package var minimumValidity: Duration
    /// *A*: the next token is fetched between *A* and *A*/2 before the deadline.
    package var refreshAhead: Duration
}

extension TokenPolicy {
    /// Returns the windows for a lifetime *L*: *M* = min(30 s, L/20), *A* = min(5 min, L/5).
    package func windows(lifetime: Duration) -> TokenWindows {
        TokenWindows(
            minimumValidity: min(minimumValidity, lifetime / 20),
            refreshAhead: min(refreshWindow, lifetime / 5)
        )
    }
}

extension Duration {
    /// Creates a duration with nanosecond precision, clamped to ±100 years.
    package init(clampedSeconds seconds: Double) {
        let century = 3_155_760_000.0
        guard !seconds.isNaN else {
            self = .zero
            return
        }
        let bounded = min(max(seconds, -century), century)
        let whole = bounded.rounded(.down)
        self = .seconds(Int64(whole)) + .nanoseconds(Int64(((bounded - whole) * 1e9).rounded()))
    }
}
