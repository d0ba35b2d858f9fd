package import FleetTokens

extension TokenPolicy {
    /// The same policy for trips that are polled at an interval.
    ///
    /// A source that can't be reached is asked again within an interval, so that a trip is seen again within two of the
    /// network's return; what a source answers keeps its long silences.
    package func polling(every interval: Duration) -> TokenPolicy {
        var policy = self
        policy.longestOutageBackoff = min(longestOutageBackoff, max(firstBackoff, interval))
        return policy
    }
}
