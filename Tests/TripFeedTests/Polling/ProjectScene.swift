import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripTestSupport

/// A feed of a project over a scripted service, on a manual clock.
final class ProjectScene: Sendable {
    /// A request of the feed.
    struct Request: Sendable, Equatable {
        /// What was requested: `search`, a page token after `search `, or the ID of a trip.
        var what: String
        /// The subject of the token: `server`, or the ID of a trip.
        var token: String
        var at: Duration
    }

    /// What has happened so far.
    struct Record: Sendable {
        var requests: [Request] = []
        var events: [FeedEvent] = []
        var searches: [SearchEvent] = []

        /// The failed searches.
        var searchFailures: [Failure] { searches.compactMap(\.failure) }

        /// The requests for something.
        func requests(for what: String) -> [Request] { requests.filter { $0.what == what } }

        /// The reports of the completed polls of a trip.
        func polls(of trip: String) -> [PollReport] {
            events.compactMap {
                if case .polled(let report, _, _) = $0, "\(report.journey)" == trip { report } else { nil }
            }
        }

        /// How following a trip ended; `nil` if it has not.
        func end(of trip: String) -> FeedEnd? {
            events.lazy.compactMap { if case .ended(let id, let end) = $0, "\(id)" == trip { end } else { nil } }.last
        }

        /// The last schedule of a trip after a command.
        func schedule(of trip: String) -> PollSchedule? {
            events.lazy.compactMap { if case .scheduled(let id, let new) = $0, "\(id)" == trip { new } else { nil } }
                .last
        }
    }

    let clock = ManualClock()
    let feed: TripFeed
    private let shared = Shared()

    private final class Shared: Sendable {
        let record = Locked(Record())
        let changes = Changes()

        func change(_ body: (inout Record) -> Void) {
            record.withLock { body(&$0) }
            changes.notify()
        }
    }

    /// A feed of the project `p`; the closure answers a request by its name and number.
    init(
        named: [String] = [],
        requestsPerMinute: Int = 6000,
        answer: @escaping @Sendable (_ what: String, _ number: Int) throws(Failure) -> HTTPTransportResponse
    ) throws {
        // The providers have a clock of their own that never advances, so that only the feed sleeps on its clock.
        let tokenClock = ManualClock()
        let issued = tokenClock.now().wall
        let source = ScriptedTokenSource { .token(FakeToken($0.context, issuedAt: issued).issued) }
        let (clock, shared) = (clock, shared)
        let transport = HTTPTransport { request async throws(Failure) in
            let what = Self.name(of: request)
            let number = shared.record.withLock { $0.requests(for: what).count + 1 }
            shared.change {
                $0.requests.append(Request(what: what, token: Self.subject(of: request), at: clock.now().steady))
            }
            return try answer(what, number)
        }
        func client() throws -> FleetClient {
            FleetClient(
                endpoint: try ServiceEndpoint("https://engine.example"),
                tokens: TokenProvider(source: source, clock: tokenClock, seed: 1),
                transport: transport,
                clock: clock
            )
        }
        let options = TripFeed.Options(
            provider: try ProviderID("p"),
            policy: Planner.Policy(interval: .seconds(5), requestsPerMinute: requestsPerMinute),
            seed: 0
        )
        feed = TripFeed(
            trips: try named.map { try JourneyID(named: $0) },
            options: options,
            clients: TripFeed.Clients(server: try client(), trip: try client()),
            clock: clock,
            report: { event in shared.change { $0.events.append(event) } },
            searched: { event in shared.change { $0.searches.append(event) } }
        )
    }

    private static func name(of request: HTTPTransportRequest) -> String {
        guard request.method == "POST" else {
            return request.url.split(separator: "?").first?.split(separator: "/").last.map(String.init) ?? ""
        }
        guard let token = JSONValue(request.body)?["pageToken"]?.string else { return "search" }
        return "search \(token)"
    }

    private static func subject(of request: HTTPTransportRequest) -> String {
        let header = request.headers.first { $0.name == "authorization" }?.value.dropFirst("Bearer ".count)
        guard let trip = header.flatMap({ try? TokenClaims(token: String($0)) })?.tripID else { return "" }
        return trip == "*" ? "server" : trip
    }

    /// What has happened so far.
    var now: Record { shared.record.withLock { $0 } }

    /// Runs the feed while a test runs.
    func run(_ body: () async throws -> Void) async throws {
        let running = Task { [feed] in await feed.run() }
        do {
            try await body()
        } catch {
            running.cancel()
            await running.value
            throw error
        }
        running.cancel()
        await running.value
    }

    /// Waits until a condition is true, at the current time.
    func wait(for what: String, _ isSo: (Record) -> Bool) async throws {
        try await shared.changes.wait(for: what) { isSo(now) }
    }

    /// Advances the clock until a condition is true, in steps of half a second after which nothing is in flight.
    func pass(until what: String, within limit: Duration = .seconds(300), _ isSo: (Record) -> Bool) async throws {
        let end = clock.now().steady + limit
        while !isSo(now) {
            guard clock.now().steady < end else { throw WaitFailure("\(what) did not come within \(limit)") }
            await clock.sleepers(atLeast: 1)
            try await settle()
            clock.advance(by: .milliseconds(500))
        }
    }

    /// Waits until the feed has processed all answers, so that the clock does not run ahead of it.
    func settle() async throws {
        await clock.settle(feed)
        try Task.checkCancellation()
    }

    /// Advances the clock by a duration.
    func pass(_ duration: Duration) async throws {
        let end = clock.now().steady + duration
        while clock.now().steady < end {
            await clock.sleepers(atLeast: 1)
            try await settle()
            clock.advance(by: .milliseconds(500))
        }
    }
}

extension HTTPTransportResponse {
    /// An answer to GetTrip.
    static func trip(_ id: String, _ status: String = "ENROUTE_TO_PICKUP") -> HTTPTransportResponse {
        HTTPTransportResponse(status: 200, body: Array(json(id, status).utf8))
    }

    /// An answer to SearchTrips.
    static func page(_ ids: [String], ended: [String] = [], next: String? = nil) -> HTTPTransportResponse {
        let trips = ids.map { json($0, "ENROUTE_TO_PICKUP") } + ended.map { json($0, "COMPLETE") }
        let token = next.map { #","nextPageToken":"\#($0)""# } ?? ""
        return HTTPTransportResponse(
            status: 200,
            body: Array("{\"trips\":[\(trips.joined(separator: ","))]\(token)}".utf8)
        )
    }

    /// An error answer.
    static func failed(_ status: Int, _ name: String, wait: Duration? = nil) -> HTTPTransportResponse {
        let error = ServiceError(
            httpStatus: status,
            status: name,
            message: status == 404 ? "No such trip." : "No.",
            retryDelay: wait
        )
        return HTTPTransportResponse(status: status, body: error.body)
    }

    private static func json(_ id: String, _ status: String) -> String {
        #"{"name":"providers/p/trips/\#(id)","tripStatus":"\#(status)","vehicleId":"v"}"#
    }
}
