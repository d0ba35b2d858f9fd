import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripTestSupport

/// A feed over a service that answers at once, on a manual clock.
final class FeedScene: Sendable {
    /// The polls and events so far.
    struct Record: Sendable {
        var polls: [(trip: TripID, at: Duration)] = []
        var events: [FeedEvent] = []
        var underWay: [TripID: Int] = [:]
        var mostUnderWay = 0
    }

    let clock = ManualClock()
    let feed: TripFeed
    let tokens: TokenProvider
    /// The trips that have been removed or have ended, in this order.
    let endings: AsyncStream<TripID>
    private let record: SharedRecord

    private final class SharedRecord: Sendable {
        let record = Locked(Record())
    }

    /// A feed of trips.
    ///
    /// By default a trip is en route to the pickup.
    init(
        trips: [TripID],
        interval: Duration = .seconds(5),
        requestsPerMinute: Int? = nil,
        staysOpen: Bool = false,
        answer: @escaping @Sendable (TripID, Int) throws(Failure) -> HTTPTransportResponse? = { _, _ in nil }
    ) throws {
        // The provider has a clock of its own that never advances, so that only the feed sleeps on the feed's clock.
        let tokenClock = ManualClock()
        let issued = tokenClock.now().wall
        let source = ScriptedTokenSource { .token(FakeToken($0.context, issuedAt: issued).issued) }
        let (clock, shared) = (clock, SharedRecord())
        let transport = HTTPTransport { request async throws(Failure) in
            guard let name = request.url.split(separator: "?").first?.split(separator: "/").last,
                let trip = try? TripID(String(name))
            else { throw .invalidURL }
            let number = shared.record.withLock { record in
                record.polls.append((trip, clock.now().steady))
                record.underWay[trip, default: 0] += 1
                record.mostUnderWay = max(record.mostUnderWay, record.underWay[trip] ?? 0)
                return record.polls.count { $0.trip == trip }
            }
            defer { shared.record.withLock { $0.underWay[trip, default: 1] -= 1 } }
            if let answer = try answer(trip, number) { return answer }
            return Self.response(trip, "ENROUTE_TO_PICKUP")
        }
        tokens = TokenProvider(source: source, clock: tokenClock, seed: 1)
        var options = TripFeed.Options(
            provider: try ProviderID("p"),
            policy: .init(interval: interval, shortestInterval: .seconds(1), creationTimeout: .seconds(60)),
            seed: 1
        )
        options.policy.requestsPerMinute = requestsPerMinute
        options.staysOpen = staysOpen
        let (endings, continuation) = AsyncStream.makeStream(of: TripID.self)
        self.endings = endings
        feed = TripFeed(
            trips: trips.map(JourneyID.trip),
            options: options,
            client: FleetClient(
                endpoint: try ServiceEndpoint("https://engine.example"),
                tokens: tokens,
                transport: transport,
                clock: clock
            ),
            clock: clock,
            report: { event in
                shared.record.withLock { $0.events.append(event) }
                if case .ended(.trip(let trip), _) = event { continuation.yield(trip) }
            }
        )
        record = shared
    }

    /// An answer about a trip with a status.
    static func response(_ trip: TripID, _ status: String) -> HTTPTransportResponse {
        let body = #"{"name":"providers/p/trips/\#(trip)","tripStatus":"\#(status)","vehicleId":"v"}"#
        return HTTPTransportResponse(status: 200, body: [UInt8](body.utf8))
    }

    /// The polls and events so far.
    var now: Record { record.record.withLock { $0 } }

    /// Advances the clock in steps of one second, each after the feed has done what is due.
    func pass(_ seconds: Int, steps: Int = 1) async {
        for _ in 0..<(seconds * steps) {
            await clock.settle(feed)
            clock.advance(by: .seconds(1) / steps)
        }
        await clock.settle(feed)
    }
}

/// Trips with generated names.
func trips(_ count: Int) throws -> [TripID] { try (0..<count).map { try TripID("t\($0)") } }

extension ManualClock {
    /// Waits until a feed, which alone sleeps on this clock, has nothing to do before a later time.
    func settle(_ feed: TripFeed) async {
        while !Task.isCancelled {
            switch feed.wait {
            case .wait(let time): if time > now().steady, earliest == time { return }
            case .hold, .done: return
            case .ask, .deferred, nil: break
            }
            await Task.yield()
        }
    }
}
