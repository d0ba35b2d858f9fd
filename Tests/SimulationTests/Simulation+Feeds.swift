import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel

extension Simulation {
    func client(_ tokens: TokenProvider, _ transport: HTTPTransport) throws -> FleetClient {
        let endpoint = try ServiceEndpoint("https://engine.example")
        return FleetClient(
            endpoint: endpoint,
            tokens: tokens,
            transport: isRemote ? .remote(transport, at: endpoint) : .rest(transport, at: endpoint),
            clock: clock
        )
    }

    func follow(with client: FleetClient) async throws {
        var options = TripFeed.Options(
            provider: try ProviderID(SimulatedEngine.provider),
            policy: .init(interval: Self.interval, shortestInterval: Self.floor, creationTimeout: nil),
            seed: seed
        )
        options.policy.requestsPerMinute = quota
        options.staysOpen = hasOrders
        let feed = TripFeed(
            trips: trips.map(JourneyID.trip),
            options: options,
            client: client,
            clock: clock,
            report: { [self] in handle($0) }
        )
        await follow(feed) { [self] in
            if hasOrders { await giveOrders(to: feed) }
        }
    }

    /// Follows all trips of the project, of which the user has named one.
    func follow(project clients: TripFeed.Clients) async throws {
        let options = TripFeed.Options(
            provider: try ProviderID(SimulatedEngine.provider),
            policy: .init(interval: Self.interval, requestsPerMinute: quota ?? 600),
            seed: seed
        )
        let feed = TripFeed(
            trips: [.trip(trips[0])],
            options: options,
            clients: clients,
            clock: clock,
            report: { [self] in handle($0) },
            searched: { [self] in if let failure = $0.failure { note("search \(failure.nameInJSON)") } }
        )
        await follow(feed) {}
    }

    private func follow(_ feed: TripFeed, orders: @escaping @Sendable () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for trip in trips + (hasOrders ? [guest] : []) {
                group.addTask { [self] in
                    do {
                        try await engine.drive(trip)
                    } catch {
                        if !(error is CancellationError) { breach("the ride of \(trip) failed: \(error)") }
                    }
                }
            }
            group.addTask { [self] in await jumpClocks() }
            group.addTask { await orders() }
            if hasRevocations { group.addTask { [self] in await revokeTokens() } }
            let feeding = Task { await feed.run() }
            let watchdog = Task { [self] in
                // Cancelled when the feed ends before. The feed of a project never ends by itself.
                while clock.now().steady < Self.limit, !(isProject && hasSeenAllEnds) {
                    guard (try? await clock.sleep(until: clock.now().steady + .seconds(1))) != nil else { return }
                }
                feeding.cancel()
            }
            await feeding.value
            watchdog.cancel()
            await watchdog.value
            group.cancelAll()
        }
    }
}
