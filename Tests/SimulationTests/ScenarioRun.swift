import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Synchronization
import Testing
import TripFeed
import TripModel

@testable import tripshare

/// Plays a scenario to the real feed on a virtual clock.
enum ScenarioRun {
    /// The length limit of a scenario, in its own time: a van's day is the longest one.
    static let limit = Duration.seconds(60_000)

    /// The errors that ended drivers.
    private final class Failures: Sendable {
        let list = Mutex<[String]>([])
    }

    /// The answers of a token endpoint for deliveries.
    private static let deliveryFormat = TokenAnswerFormat(
        tokenKey: "token",
        expirationKey: "expiration_timestamp_ms",
        expirationUnit: .absoluteMilliseconds
    )

    /// Returns the interval of the polls in a scenario: recipients of shipments need fewer than riders.
    static func interval(of scenario: Scenario) -> Duration { .seconds(scenario.shipments.isEmpty ? 5 : 20) }

    /// Plays a scenario until all of its trips and shipments have ended.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - clock: A clock at the start of the scenario.
    ///   - captions: The captions of the scenario.
    ///   - limit: The length after which it is not over, in its own time.
    ///   - feed: Receives the events of the trips and shipments.
    ///   - token: Receives the events of the tokens of riders and recipients; it must not call the provider.
    ///   - logged: Receives the lines of the service's log.
    ///   - served: Receives the service, whose world can be asked at any time, before the first call.
    /// - Throws: An error if the keys could not be generated or all tasks wait for something that never comes.
    /// - Returns: What prevented the scenario from being played to its end.
    static func play(
        _ scenario: Scenario,
        clock: VirtualClock,
        captions: SceneCaptions,
        limit: Duration = Self.limit,
        feed: @escaping @Sendable (FeedEvent) -> Void,
        token: @escaping @Sendable (TokenEvent) -> Void = { _ in },
        logged: (@Sendable ([UInt8]) -> Void)? = nil,
        served: (@Sendable (FleetService) -> Void)? = nil
    ) async throws -> [String] {
        let result: [String]? = try await LoopKeys.use { keys in
            await SerialLoop.run(
                advance: { clock.advance() },
                body: {
                    do {
                        return try await play(scenario, keys, clock, captions, limit, feed, token, logged, served)
                    } catch {
                        return ["it could not be played: \(error)"]
                    }
                }
            )
        }
        return try #require(result, "all tasks wait for something that never comes")
    }

    private static func play(
        _ scenario: Scenario,
        _ keys: EmulatorKeys,
        _ clock: VirtualClock,
        _ captions: SceneCaptions,
        _ limit: Duration,
        _ report: @escaping @Sendable (FeedEvent) -> Void,
        _ token: @escaping @Sendable (TokenEvent) -> Void,
        _ logged: (@Sendable ([UInt8]) -> Void)?,
        _ served: (@Sendable (FleetService) -> Void)?
    ) async throws -> [String] {
        let provider = try ProviderID("p")
        let faults = FaultInjector()
        var options = EmulatorOptions()
        options.tokenLifetime = scenario.tokenLifetime ?? .seconds(scenario.shipments.isEmpty ? 90 : 3300)
        options.logged = logged
        let service = FleetService(.world(World(provider: provider, roads: scenario.roads)))
        served?(service)
        let router = RequestRouter(
            service,
            keys: keys,
            options: options,
            clock: clock,
            faults: faults
        )
        let transport = router.transport
        let isOfDeliveries = !scenario.shipments.isEmpty
        func source(_ path: String) throws -> HTTPTokenSource {
            HTTPTokenSource(
                template: try TokenURLTemplate("http://tokens.test/token/\(path)", allowsPlainHTTP: true),
                transport: transport,
                format: isOfDeliveries ? deliveryFormat : TokenAnswerFormat()
            )
        }
        let interval = interval(of: scenario)
        func tokens(_ source: some TokenSource) -> TokenProvider {
            TokenProvider(source: source, clock: clock, policy: .standard.polling(every: interval), seed: 1)
        }
        let driverTokens = tokens(
            DriverTokenSource(
                trips: try source("driver/{vehicleId}"),
                deliveries: try source("trusted_delivery_driver/{deliveryVehicleId}")
            )
        )
        let riderTokens = tokens(
            try source(isOfDeliveries ? "delivery_consumer/{trackingId}" : "consumer/{tripId}")
        )
        riderTokens.observe(token)
        let play = ScenarioPlay(
            scenario,
            provider: provider,
            baseURL: "http://engine.test",
            driverTokens: driverTokens,
            backendToken: { try await router.backendToken($0) },
            transport: transport,
            clock: clock,
            seed: 1,
            faults: faults,
            control: DriverControl(),
            captions: captions
        )
        try await play.prepare()
        let feed = TripFeed(
            trips: scenario.journeys,
            options: TripFeed.Options(
                provider: provider,
                policy: .init(interval: interval, shortestInterval: .seconds(1), creationTimeout: nil),
                seed: 1
            ),
            client: FleetClient(
                endpoint: try ServiceEndpoint("http://engine.test", allowPlainHTTP: true),
                tokens: riderTokens,
                transport: transport,
                clock: clock
            ),
            clock: clock,
            report: report
        )
        let failures = Failures()
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await play.play { error in failures.list.withLock { $0.append("\(error)") } }
                return true
            }
            group.addTask {
                await feed.run()
                return true
            }
            group.addTask {
                // Cancelled when everything has ended before the limit.
                try? await clock.sleep(until: limit)
                return false
            }
            var running = 2
            while running > 0, let isOver = await group.next() {
                running -= 1
                if !isOver {
                    failures.list.withLock { $0.append("it was not over after \(limit)") }
                    running = 0
                }
            }
            group.cancelAll()
        }
        await driverTokens.close()
        await riderTokens.close()
        return failures.list.withLock { $0 }
    }
}
