/// The two windows of one token, made from its life.
package struct TokenWindows: Sendable, Equatable {
    /// *M*: never handed out with less than this left.
    package var minimumValidity: Duration
    /// *A*: the next one is fetched at the latest half of this before the deadline, at the earliest all of it.
    package var refreshAhead: Duration
}

extension TokenPolicy {
    /// The windows of a token that lives so long: *M* = min(30 s, L/20), *A* = min(5 min, L/5).
    package func windows(lifetime: Duration) -> TokenWindows {
        TokenWindows(
            minimumValidity: min(minimumValidity, lifetime / 20),
            refreshAhead: min(refreshWindow, lifetime / 5)
        )
    }
}

extension Duration {
    /// A duration of so many seconds, to the nanosecond; absurd numbers end at ± 100 years.
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
