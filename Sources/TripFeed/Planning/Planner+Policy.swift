extension Planner {
    /// Intervals and limits.
    package struct Policy: Sendable, Equatable {
        /// The rules and limits of each journey.
        package var polling: PollMachine.Policy
        /// The quota for all requests together; `nil` for none.
        package var requestsPerMinute: Int?
        /// The time from the start of one sweep to the start of the next; `nil` if only named journeys are followed.
        package let sweepInterval: Duration?
        /// The maximum number of requests in flight.
        package var mostInFlight = Int.max
        /// The maximum number of followed trips of a project; a sweep ignores more.
        package var mostTrips = 10_000

        /// Creates the policy of named journeys.
        package init(interval: Duration, shortestInterval: Duration, creationTimeout: Duration?) {
            polling = PollMachine.Policy(
                interval: interval,
                shortestInterval: shortestInterval,
                creationTimeout: creationTimeout
            )
            sweepInterval = nil
        }

        /// Creates the policy of the trips of a project.
        package init(
            interval: Duration,
            shortestInterval: Duration = .seconds(1),
            requestsPerMinute: Int,
            sweepInterval: Duration = .seconds(20)
        ) {
            polling = PollMachine.Policy(
                interval: interval,
                shortestInterval: shortestInterval,
                creationTimeout: nil
            )
            self.requestsPerMinute = requestsPerMinute
            self.sweepInterval = sweepInterval
            mostInFlight = 64
        }
    }
}
