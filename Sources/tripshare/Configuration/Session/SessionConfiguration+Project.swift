import Failures
import FleetTokens
import FleetWire
import Runtime
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
    ///
    /// `searched` is called with each page, and with each failed search; `renewed` with each refusal of a token after which the
    /// service accepted a new one.
    func activeTrips(
        pages: Int,
        searched: (SearchEvent) -> Void,
        renewed: (Failure) -> Void = { Printing.warning(Text(renewed: $0)) }
    ) async throws -> TripListing {
        guard let client = serverClient else {
            throw CommandFailure(
                .usage,
                .failureNoServerToken(flag: "--server-token-url", account: "--server-account")
            )
        }
        var search = TripSearch()
        search.activeOnly = true
        search.page.size = 500
        let result = await Result { () async throws(Failure) in
            try await client.listTrips(
                search,
                in: provider,
                pages: pages,
                searched: searched,
                renewed: renewed
            )
        }
        return try result.get(searching: provider, host: endpoint.displayName)
    }

    /// Runs an operation before the session and subtracts its real time from the timeout.
    ///
    /// Throws the error of the operation, or a ``CommandFailure`` when the timeout expires.
    mutating func countingAgainstTimeout<Result: Sendable>(
        _ body: @escaping @Sendable (SessionConfiguration) async throws -> Result
    ) async throws -> Result {
        guard let timeout else { return try await body(self) }
        let (configuration, clock) = (self, clock)
        let began = clock.realTime
        let result = try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await body(configuration) }
            group.addTask {
                try await clock.sleep(real: timeout)
                throw CommandFailure(.unavailable, .failureTimeout)
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
        self.timeout = max(.milliseconds(1), timeout - (clock.realTime - began))
        return result
    }

    /// Says why the trips of the project can't be listed.
    func warning(of failure: Failure) -> String {
        let localizer = Localizer.ofProcess
        let message = UserMessage(failure, searching: provider, host: endpoint.displayName, localizer: localizer)
        return localizer(.sweepFailed(reason: message.what)) + localizer(.fullStop)
    }

    /// Creates a feed that follows all active trips of the project.
    func projectFeed(
        with server: FleetClient,
        report: @escaping @Sendable (FeedEvent) -> Void,
        searched: @escaping @Sendable (SearchEvent) -> Void
    ) -> TripFeed {
        let policy = Planner.Policy(
            interval: max(interval, endpoint.shortestInterval),
            shortestInterval: endpoint.shortestInterval,
            requestsPerMinute: requestsPerMinute ?? Self.cautiousQuota
        )
        var options = TripFeed.Options(provider: provider, policy: policy, seed: seed)
        options.limits = limits
        options.absent = allAbsentFields
        let trip = FleetClient(
            endpoint: endpoint,
            tokens: tokens,
            transport: fleet,
            clock: clock,
            certificates: certificates
        )
        return TripFeed(
            trips: trips,
            options: options,
            clients: TripFeed.Clients(server: server, trip: trip),
            clock: clock,
            report: report,
            searched: searched
        )
    }
}
