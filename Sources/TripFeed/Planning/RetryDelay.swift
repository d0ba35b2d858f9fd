import TripModel

/// The delay before a retry after a failure of the service: one rule for polls, searches and quotas.
///
/// It doubles with each failure. A wait that the service requests is a minimum. Its `Retry-After` is untrusted, so a wait of
/// hours does not stop the polls for longer than ``longestRequested``.
package struct RetryDelay: Sendable, Equatable {
    /// The longest wait that the service may request.
    package static let longestRequested = Duration.seconds(300)
    /// The maximum delay of a backoff, before jitter.
    package static let longestBackoff = Duration.seconds(60)

    /// The delay.
    package let duration: Duration
    /// Whether it is the wait that was requested.
    package let isRequested: Bool

    /// Returns the delay after some failures in a row.
    ///
    /// - Parameters:
    ///   - failures: The number of failures in a row, from 1.
    ///   - interval: The delay after the first failure.
    ///   - requested: The wait that the service requests; `nil` if it requests none.
    ///   - jitter: A random number from 0 to 1, which spreads the retries of many clients.
    package init(after failures: Int, interval: Duration, requested: Duration?, jitter: Double) {
        let doubled = interval * (1 << min(max(0, failures - 1), 6))
        let jittered = min(Self.longestBackoff, max(doubled, interval)) * (0.8 + 0.4 * jitter)
        let required = min(requested ?? .zero, Self.longestRequested)
        duration = max(required, jittered)
        isRequested = required > jittered
    }
}
