extension PollMachine {
    /// The limits that are the same for all trips.
    package struct Policy: Sendable, Equatable {
        /// The maximum interval.
        package static let longestInterval = Duration.seconds(300)

        /// The requested interval.
        package var interval: Duration
        /// The minimum interval.
        package var shortestInterval: Duration
        /// How long to wait for a trip that does not exist yet; `nil` for no limit.
        package var creationTimeout: Duration?
        /// How long to wait for the next attempt at a shipment that was closed without success.
        package var attemptTimeout = Duration.seconds(600)

        package init(interval: Duration, shortestInterval: Duration, creationTimeout: Duration?) {
            self.interval = interval
            self.shortestInterval = shortestInterval
            self.creationTimeout = creationTimeout
        }

        /// The requested interval, clamped to the limits.
        package var clampedInterval: Duration { clamp(interval) }

        /// Returns an interval within the limits, or a longer one that the quota requires.
        func clamp(_ interval: Duration, quotaInterval: Duration = .zero) -> Duration {
            max(quotaInterval, min(Self.longestInterval, max(shortestInterval, interval)))
        }
    }
}
