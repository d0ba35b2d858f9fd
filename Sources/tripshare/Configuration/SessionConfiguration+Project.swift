import FleetTokens
import FleetWire
import HTTPTransport
import TripFeed
import TripModel
import TripText

extension SessionConfiguration {
    /// The quota of a project whose limit is unknown, in requests per minute.
    static let cautiousQuota = 6000

    /// Creates a client that sends requests with server tokens; `nil` if there is no source for them.
    var serverClient: FleetClient? {
        serverTokens.map {
            FleetClient(
                endpoint: endpoint,
                tokens: $0,
                transport: fleet,
                clock: clock,
                certificates: certificates
            )
        }
    }

    /// Lists the active trips of the project; throws a ``CommandFailure`` that says why it can't.
    func activeTrips(pages: Int = TripListing.mostPages) async throws -> TripListing {
        guard let client = serverClient else {
            throw CommandFailure(.usage, .failureNoServerToken, "--server-token-url", "--server-account")
        }
        var search = TripSearch()
        search.activeOnly = true
        search.page.size = 500
        let result = await Result { () async throws(PollFailure) in
            try await client.listTrips(search, in: provider, pages: pages)
        }
        return try result.get(searching: provider, host: endpoint.displayName)
    }

    /// Says why the trips of the project can't be listed.
    func warning(of failure: PollFailure) -> String {
        let say = Localizer.ofProcess
        let message = UserMessage(failure, searching: provider, host: endpoint.displayName, say: say)
        return say(.sweepFailed, message.what) + say(.fullStop)
    }

    /// Creates a feed that follows all active trips of the project.
    func projectFeed(
        with server: FleetClient,
        report: @escaping @Sendable (FeedEvent) -> Void,
        searchFailed: @escaping @Sendable (PollFailure) -> Void
    ) -> ProjectFeed {
        var options = ProjectFeed.Options(
            provider: provider,
            policy: SweepPlan.Policy(
                interval: max(interval, endpoint.shortestInterval),
                requestsPerMinute: requestsPerMinute ?? Self.cautiousQuota
            )
        )
        options.shortestInterval = endpoint.shortestInterval
        options.limits = limits
        options.named = Set(trips)
        let trip = FleetClient(
            endpoint: endpoint,
            tokens: tokens,
            transport: fleet,
            clock: clock,
            certificates: certificates
        )
        return ProjectFeed(
            options: options,
            clients: ProjectFeed.Clients(server: server, trip: trip),
            clock: clock,
            report: report,
            searchFailed: searchFailed
        )
    }
}
