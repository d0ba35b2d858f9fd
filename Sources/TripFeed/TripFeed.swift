package import TripModel

/// Follows several trips at once; a failure of one is none of the others' business.
package final class TripFeed: Sendable {
    private let trips: [TripID]
    private let pollers: [TripID: TripPoller]
    private let report: @Sendable (FeedEvent) async -> Void

    /// How trips are followed.
    package struct Options: Sendable {
        /// The project that owns the trips.
        package var provider: ProviderID
        /// Intervals and patience.
        package var policy: PollMachine.Policy
        /// From where on something is a finding.
        package var limits = FindingLimits()
        /// Where chance starts.
        package var seed: UInt64

        /// Options of these parts.
        package init(provider: ProviderID, policy: PollMachine.Policy, seed: UInt64) {
            self.provider = provider
            self.policy = policy
            self.seed = seed
        }
    }

    /// Sets up a poller per trip.
    ///
    /// The first polls are due one after the other, so that the rest of the polls are spread over the interval. `report` is
    /// told of everything, in order for each trip, from several tasks at once.
    package init(
        trips: [TripID],
        options: Options,
        client: FleetClient,
        clock: any TripClock,
        report: @escaping @Sendable (FeedEvent) async -> Void
    ) {
        self.trips = trips
        self.report = report
        let start = clock.now().steady
        var pollers: [TripID: TripPoller] = [:]
        for (index, trip) in trips.enumerated() {
            let delay = options.policy.interval * Double(index) / Double(trips.count)
            pollers[trip] = TripPoller(
                trip: trip,
                provider: options.provider,
                client: client,
                clock: clock,
                machine: PollMachine(policy: options.policy, firstDue: start + delay),
                limits: options.limits,
                seed: options.seed &+ UInt64(index)
            )
        }
        self.pollers = pollers
    }

    /// Follows all trips until the last has ended or the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            for trip in trips {
                guard let poller = pollers[trip] else { continue }
                group.addTask { [report] in await poller.run(report: report) }
            }
        }
    }

    /// Gives an order to the poller of a trip, which answers with a ``FeedEvent/scheduled(_:_:)``.
    package func command(_ command: FeedCommand, trip: TripID) async {
        guard let poller = pollers[trip] else { return }
        await report(.scheduled(trip, await poller.command(command)))
    }
}
