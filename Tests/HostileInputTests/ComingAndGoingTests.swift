import Failures
import FleetTokens
import Foundation
import HeapMemory
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

@Suite("Trips that are added and removed", .serialized, .ends(within: .longTest))
struct ComingAndGoingTests {
    @Test func `4,000 trips cause no memory growth after the first 1,500`() async throws {
        // In a process of its own: other tests would change its memory.
        try await SeparateProcess.run { try await ComingAndGoing.check() }
    }
}

/// Adds trips that have already ended, 50 at a time, as a list of trips on standard input does.
private enum ComingAndGoing {
    static func check() async throws {
        let trips = 4000
        let settled = 1500
        let clock = HurriedClock()
        let source = ScriptedTokenSource { fetch in
            .token(FakeToken(fetch.context, issuedAt: clock.now().wall).issued)
        }
        let tokens = TokenProvider(source: source, clock: clock.patient, seed: 1)
        let transport = HTTPTransport { request async throws(Failure) in
            let trip = request.url.split(separator: "?")[0].split(separator: "/").last ?? ""
            let body = #"{"name":"providers/p/trips/\#(trip)","tripStatus":"COMPLETE","vehicleId":"v"}"#
            return HTTPTransportResponse(status: 200, body: Array(body.utf8))
        }
        var options = TripFeed.Options(
            provider: try ProviderID("p"),
            policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil),
            seed: 1
        )
        options.staysOpen = true
        let (events, continuation) = AsyncStream.makeStream(of: FeedEvent.self)
        let feed = TripFeed(
            trips: [],
            options: options,
            client: FleetClient(
                endpoint: try ServiceEndpoint("https://engine.example"),
                tokens: tokens,
                transport: transport,
                clock: clock
            ),
            clock: clock,
            report: { continuation.yield($0) }
        )
        let running = Task { await feed.run() }
        var screen = State(
            trips: [],
            settings: State.Settings(host: "h"),
            now: clock.now(),
            width: 80,
            height: 24
        )
        var ended = 0
        var early = 0
        for first in stride(from: 0, to: trips, by: 50) {
            feed.forget(over: [])
            for number in first..<(first + 50) { feed.add(try .trip(TripID("trip-\(number)"))) }
            for await event in events {
                _ = screen.update(.feed(event))
                guard case .ended = event else { continue }
                ended += 1
                if ended.isMultiple(of: 50) { break }
            }
            if ended == settled { early = try #require(HeapMemory.allocated()) }
        }
        let late = try #require(HeapMemory.allocated())
        #expect(ended == trips)
        #expect(tokens.counters.keys <= 1000)
        #expect(screen.trips.count <= 1000)
        // Resident memory would also contain holes, whose number depends on the other work of the machine.
        #expect(late - early < 1 << 20)
        print("Coming and going: \(early >> 10) kB after \(settled) trips, \(late >> 10) kB after \(trips)")
        feed.close()
        await running.value
        await tokens.close()
    }
}
