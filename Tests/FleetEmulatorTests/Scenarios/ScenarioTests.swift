import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Scenarios", .ends(within: .quickTest))
struct ScenarioTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Assets/Scenarios")

    private static var files: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
                .map { String($0.dropLast(5)) }.sorted()
        }
    }

    @Test func `the embedded scenarios are those in Assets`() throws {
        #expect(try Self.files == Scenario.names)
        for name in Scenario.names {
            let file = try String(contentsOf: Self.folder.appending(path: "\(name).yaml"), encoding: .utf8)
            #expect(Scenario.yaml(of: name) == file, "\(name)")
        }
    }

    @Test(arguments: Scenario.names)
    func `meets its own expectations`(name: String) async throws {
        let scenario = try #require(try Scenario.named(name))
        #expect(!scenario.expectations.isEmpty && !scenario.title.isEmpty && !scenario.about.isEmpty)
        let run = try await ScenarioRun(scenario, seed: 1)
        for expectation in scenario.expectations {
            guard case .must(let conditions, .once) = expectation.kind else {
                Issue.record("\(expectation.name) is no status to reach")
                continue
            }
            let status = try #require(conditions.reached?.trip)
            let time = run.time(of: try #require(expectation.journey?.trip), at: status)
            let limit = try #require(expectation.within)
            #expect(time.map { $0 <= limit } == true, "\(expectation.name): \(String(describing: time))")
        }
        #expect(run.lastState == "OFFLINE")
    }

    @Test(arguments: ["back-to-back", "engine-trouble", "tunnel"])
    func `the same seed gives the same events, another seed other ones`(name: String) async throws {
        let scenario = try #require(try Scenario.named(name))
        let (one, again, other) = (
            try await ScenarioRun(scenario, seed: 5), try await ScenarioRun(scenario, seed: 5),
            try await ScenarioRun(scenario, seed: 6)
        )
        #expect(one.events.count > 20)
        let (isSame, isOther) = (one.events == again.events, one.events != other.events)
        #expect(isSame && isOther)
    }

    @Test func `a silent vehicle sends no reports, and one in a tunnel reports poor fixes`() async throws {
        let silent = try await ScenarioRun(try #require(try Scenario.named("silent-vehicle")), seed: 1)
        let times = silent.reportTimes
        let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
        #expect(longest > 60)
        let tunnel = try await ScenarioRun(try #require(try Scenario.named("tunnel")), seed: 1)
        #expect(tunnel.events.contains { $0.body.contains(#""locationSensor":"NETWORK""#) })
    }

    @Test(arguments: ["ride 1", "my  ride", "ride stop 1", "pickup", "fare pickup"])
    func `the ID of a trip may contain spaces`(id: String) throws {
        let good = try #require(Scenario.yaml(of: "tunnel"))
        let yaml = good.replacing("tunnel-1", with: id)
        let scenario = try Scenario(yaml: yaml, name: "x", file: "x.yaml")
        let stops = scenario.drivers.flatMap(\.steps).compactMap { step in
            if case .drive(let drive) = step, case .trip(let stop) = drive.target { stop.trip } else { nil }
        }
        #expect(stops == [try TripID(id), try TripID(id)])
    }

    @Test func `errors name the file, the line and what was expected`() throws {
        let good = try #require(Scenario.yaml(of: "tunnel"))
        let pool = try #require(Scenario.yaml(of: "shared-pool"))
        let cases: [(String, Int, String)] = [
            (good.replacing("tunnel: [0.3, 0.7]", with: "tunel: [0.3, 0.7]"), 18, "tunel is unknown"),
            (good.replacing("wait: 10", with: "wait: soon"), 15, "a number"),
            (good.replacing("drive: {to: tunnel-1 pickup}", with: "drive: {to: ride pickup}"), 11, "unknown trip ride"),
            (good.replacing("status: COMPLETE", with: "status: DONE"), 22, "a trip status"),
            (good.replacing("at: Library", with: "at: [95, 3.72718]"), 7, "a latitude of -90 to 90"),
            (
                good.replacing("trips:", with: "  - {id: taxi-11, at: Library, steps: [{wait: 1}]}\ntrips:"), 19,
                "the vehicle taxi-11 is defined twice"
            ),
            (
                pool.replacing("pool-b pickup, pool-b dropoff", with: "pool-b dropoff, pool-b pickup"), 18,
                "of trip pool-b comes after its"
            ),
            (pool.replacing("type: SHARED", with: "type: EXCLUSIVE"), 18, "is EXCLUSIVE"),
            ("places: {A: [1, 2, 3]}\n" + good, 1, "[latitude, longitude] is expected"),
            ("title: x\nabout: y\n", 1, "vehicles is missing"), ("title: [", 2, "not YAML"), ("- a\n", 1, "a mapping"),
            ("title: x\nabout: y\ntitle: z\n", 1, "title occurs more than once"),
        ]
        for (yaml, line, words) in cases {
            do throws(YAMLFileError) {
                _ = try Scenario(yaml: yaml, name: "x", file: "x.yaml")
                Issue.record("\(words): it was taken")
            } catch {
                #expect(error.message.contains(words), "\(error)")
                #expect(error.file == "x.yaml" && error.line == line, "\(error)")
            }
        }
    }
}

/// A run of a scenario with a service in the same process, on a clock that jumps from one event to the next.
private struct ScenarioRun {
    struct Event: Equatable {
        var time: Double
        var vehicleOrTrip: String
        var body: String
        var status: Int
    }

    let events: [Event]

    init(_ scenario: Scenario, seed: UInt64) async throws {
        let clock = ManualClock()
        let log = Mutex<[Event]>([])
        let faults = FaultInjector()
        let provider = try ProviderID("p")
        let router = RequestRouter(
            FleetService(.world(World(provider: provider, roads: scenario.roads))),
            keys: try await SharedKeys.keys,
            options: EmulatorOptions(),
            clock: clock,
            faults: faults
        )
        let inner = router.transport
        let transport = HTTPTransport { request throws(Failure) in
            let sent = clock.now().steady.seconds
            let result: Result<HTTPTransportResponse, Failure>
            do throws(Failure) {
                result = .success(try await inner.send(request))
            } catch {
                result = .failure(error)
            }
            if request.url.hasPrefix("http://engine.test") {
                let name = request.url.split(separator: "/").last.map { $0.prefix { $0 != "?" } } ?? ""
                let status = (try? result.get().status) ?? 0  // 0 means no answer
                let event = Event(
                    time: (sent * 1000).rounded() / 1000,
                    vehicleOrTrip: String(name),
                    body: String(decoding: request.body, as: UTF8.self),
                    status: status
                )
                log.withLock { $0.append(event) }
            }
            return try result.get()
        }
        // The tokens have a clock of their own, so that only the drivers sleep on the first one.
        let tokenClock = ManualClock()
        let source = ScriptedTokenSource { fetch in
            .token(FakeToken(fetch.context, issuedAt: tokenClock.now().wall, serial: fetch.number).issued)
        }
        let play = ScenarioPlay(
            scenario,
            provider: provider,
            baseURL: "http://engine.test",
            driverTokens: TokenProvider(source: source, clock: tokenClock, seed: 1),
            backendToken: { try await router.backendToken($0) },
            transport: Self.signing(transport, router),
            clock: clock,
            seed: seed,
            faults: faults,
            control: DriverControl()
        )
        try await play.prepare()
        // A driver that has finished sleeps until the end, so that the clock advances when, and only when, all drivers
        // wait.
        let end = Duration.seconds(1_000_000)
        let sleepers = scenario.drivers.count + (scenario.events.isEmpty ? 0 : 1)
        let task = Task {
            await play.play {
                Issue.record("\($0)")
            } onEnd: {
                try? await clock.sleep(until: end)  // cancelled below
            }
        }
        while true {
            await clock.sleepers(atLeast: sleepers)
            guard let next = clock.earliest, next < end else { break }
            clock.advance(by: next - clock.now().steady)
        }
        task.cancel()
        await task.value
        events = log.withLock(\.self)
    }

    /// Sends the drivers' requests with an operator's token, because only the ride is tested here and not the
    /// permissions.
    private static func signing(_ transport: HTTPTransport, _ router: RequestRouter) -> HTTPTransport {
        HTTPTransport { request throws(Failure) in
            var request = request
            guard let token = try? await router.operatorToken() else { throw .other(reason: "no token") }
            request.headers.removeAll { $0.name == "authorization" }
            request.headers.append(("authorization", "Bearer \(token)"))
            return try await transport.send(request)
        }
    }

    /// When a trip was set to a status, in seconds.
    func time(of trip: TripID, at status: TripStatus) -> Double? {
        events.first {
            $0.vehicleOrTrip == trip.rawValue && $0.status == 200
                && $0.body.contains(#""tripStatus":"\#(status.name)""#)
        }?.time
    }

    var reportTimes: [Double] { events.filter { $0.body.contains("lastLocation") }.map(\.time) }

    /// The state in the last update that contained one.
    var lastState: String? {
        let last = events.last { $0.body.contains("vehicleState") }
        return last.flatMap { $0.body.contains("OFFLINE") ? "OFFLINE" : "ONLINE" }
    }
}
