import FleetEmulator
import FleetTokens
import Foundation
import HTTPTransport
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// Plays every scenario to the real feed on a virtual clock and compares what a rider sees with the captions and
/// expectations.
@Suite("Scenario stories", .serialized, .ends(within: .minutes(20)))
struct ScenarioStoryTests {
    @Test(arguments: ["ride"] + Scenario.names)
    func `each caption and expectation is true when it is shown`(name: String) async throws {
        let scenario = try #require(name == "ride" ? Scenario.plainRide(seed: 1) : Scenario.named(name))
        let violations = try await Self.violations(of: scenario)
        #expect(violations.isEmpty, "\(violations.map { "\($0.time): \($0.text)" }.joined(separator: "\n"))")
    }

    @Test(arguments: Scenario.names)
    func `each caption has an expectation`(name: String) throws {
        let scenario = try #require(try Scenario.named(name))
        let own = scenario.drivers.flatMap(\.steps).compactMap {
            if case .caption(let caption) = $0 { caption } else { nil }
        }
        let reported = scenario.events.compactMap { if case .caption(let caption) = $0.action { caption } else { nil } }
        for caption in own + reported { #expect(caption.expectation != nil, "\(caption.text)") }
    }

    @Test func `each kind of condition can be violated`() async throws {
        let cases = [
            "status: [ARRIVED_AT_PICKUP]", "overdue: 10", "delay: [500, 900]", "finding: offRoute", "position-age: 300",
            "others-ahead: 1", "failing: true",
        ]
        for condition in cases {
            let yaml = """
                title: T
                about: A
                vehicles:
                  - id: v
                    at: [51.0, 3.7]
                    steps:
                      - assign: t
                      - drive: {to: t pickup}
                        caption: It comes.
                        expect: {\(condition)}
                      - drive: {to: t dropoff}
                trips:
                  - {id: t, pickup: [51.01, 3.7], dropoff: [51.02, 3.7]}
                expect: []
                """
            let violations = try await Self.violations(of: try Scenario(yaml: yaml, name: "t", file: "t.yaml"))
            #expect(violations.count == 1, "\(condition): \(violations)")
            let violation = try #require(violations.first)
            #expect(violation.text.contains("It comes.") && violation.time > 15, "\(violation)")
        }
    }

    @Test func `a status that is reached late or never is a violation`() async throws {
        for (status, within) in [("COMPLETE", 30), ("COMPLETE", 900), ("CANCELED", 900)] {
            let end = status == "COMPLETE" && within == 900 ? "cancel: t" : "drive: {to: t dropoff}"
            let yaml = """
                title: T
                about: A
                vehicles:
                  - id: v
                    at: [51.0, 3.7]
                    steps:
                      - assign: t
                      - drive: {to: t pickup}
                      - \(end)
                trips:
                  - {id: t, pickup: [51.01, 3.7], dropoff: [51.02, 3.7]}
                expect: [{trip: t, status: \(status), within: \(within)}]
                """
            let violations = try await Self.violations(of: try Scenario(yaml: yaml, name: "t", file: "t.yaml"))
            #expect(violations.count == 1 && violations.first?.text.contains(status) == true, "\(violations)")
        }
    }

    /// An expectation that was violated, or an error.
    private struct Violation {
        /// Seconds since the start of the scenario.
        var time: Double
        var text: String
    }

    /// The length limit of a scenario, in its own time.
    private static let limit = Duration.seconds(20_000)

    /// The errors that ended drivers.
    private final class Failures: Sendable {
        let list = Mutex<[String]>([])
    }

    /// The signing keys, generated once.
    ///
    /// Generating them takes seconds without optimization. `EmulatorKeys` is an actor, so that only one loop at a time
    /// may use it.
    private static let keys = Task { try await EmulatorKeys() }

    /// Plays a scenario until all of its trips have ended.
    private static func violations(of scenario: Scenario) async throws -> [Violation] {
        let clock = VirtualClock(start: scenario.begins ?? VirtualClock.start)
        let keys = try await Self.keys.value
        let result: [Violation]? = await SerialLoop.run(
            advance: { clock.advance() },
            body: {
                do {
                    return try await play(scenario, keys: keys, clock: clock)
                } catch {
                    return [Violation(time: 0, text: "it could not be played: \(error)")]
                }
            }
        )
        return try #require(result, "all tasks wait for something that never comes")
    }

    private static func play(
        _ scenario: Scenario,
        keys: EmulatorKeys,
        clock: VirtualClock
    ) async throws -> [Violation] {
        let provider = try ProviderID("p")
        let faults = FaultInjector()
        var options = EmulatorOptions()
        options.tokenLifetime = scenario.tokenLifetime ?? .seconds(90)
        let router = RequestRouter(
            FleetService(.world(World(provider: provider, roads: scenario.roads))),
            keys: keys,
            options: options,
            clock: clock,
            faults: faults
        )
        let transport = router.transport
        func tokens(_ path: String) throws -> TokenProvider {
            TokenProvider(
                source: HTTPTokenSource(
                    template: try TokenURLTemplate("http://tokens.test/token/\(path)", allowsPlainHTTP: true),
                    transport: transport
                ),
                clock: clock,
                policy: .standard.polling(every: .seconds(5)),
                seed: 1
            )
        }
        let (driverTokens, riderTokens) = (try tokens("driver/{vehicleId}"), try tokens("consumer/{tripId}"))
        let captions = SceneCaptions()
        let play = ScenarioPlay(
            scenario,
            provider: provider,
            baseURL: "http://engine.test",
            driverTokens: driverTokens,
            operatorToken: { try await router.operatorToken() },
            transport: transport,
            clock: clock,
            seed: 1,
            faults: faults,
            control: DriverControl(),
            captions: captions
        )
        try await play.prepare()
        let watch = SceneWatch(scenario, captions: captions, clock: clock, lateness: 0)
        let feed = TripFeed(
            trips: scenario.followed,
            options: TripFeed.Options(
                provider: provider,
                policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil),
                seed: 1
            ),
            client: FleetClient(
                endpoint: try ServiceEndpoint("http://engine.test", allowPlainHTTP: true),
                tokens: riderTokens,
                transport: transport,
                clock: clock
            ),
            clock: clock,
            report: { watch.take($0) }
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
        return watch.violations.map {
            Violation(time: $0.seconds ?? 0, text: "\($0.expectation.name): \($0.reason)")
        }
            + failures.list.withLock { $0 }.map { Violation(time: clock.now().steady.seconds, text: $0) }
    }
}
