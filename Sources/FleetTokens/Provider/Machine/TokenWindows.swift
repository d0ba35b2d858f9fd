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
