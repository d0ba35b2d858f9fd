package import FleetTokens

extension TokenPolicy {
    /// Returns the policy adapted to trips that are polled at an interval.
    ///
    /// An unreachable source is retried within one interval, so that polls resume within two intervals after the network
    /// returns. The long backoff after answers of the source is unchanged.
    package func polling(every interval: Duration) -> TokenPolicy {
        var policy = self
        policy.maximumOutageBackoff = min(maximumOutageBackoff, max(firstBackoff, interval))
        return policy
    }
}
