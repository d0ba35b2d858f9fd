import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Fleet client", .ends(within: .quickTest))
struct FleetClientTests {
    private let clock = ManualClock()
    private let request: JourneyRequest

    init() throws {
        request = JourneyRequest(provider: try ProviderID("p"), journey: try .trip(TripID("tr-1")))
    }

    private func provider() -> TokenProvider {
        let now = clock.now().wall
        let source = ScriptedTokenSource { fetch in
            .token(IssuedToken(FakeToken(fetch.context, issuedAt: now, serial: fetch.number).text))
        }
        return TokenProvider(source: source, clock: clock, seed: 1)
    }

    private func report(
        tokens: TokenProvider? = nil,
        clock: (any TripClock)? = nil,
        _ answer: @escaping @Sendable (HTTPTransportRequest) throws(Failure) -> HTTPTransportResponse
    ) async throws -> PollReport {
        let client = FleetClient(
            endpoint: try ServiceEndpoint("https://engine.example"),
            tokens: tokens ?? provider(),
            transport: HTTPTransport { request async throws(Failure) in try answer(request) },
            clock: clock ?? self.clock
        )
        return await client.get(request)
    }

    private func failure(status: Int, headers: [(String, String)] = [], body: String = "") async throws -> Failure? {
        try await report { _ in
            HTTPTransportResponse(
                status: status,
                headers: headers.map { (name: $0.0, value: $0.1) },
                body: [UInt8](body.utf8)
            )
        }.failure
    }

    @Test func `the latency does not include a step of the clock during the request`() async throws {
        /// A clock whose steps take no real time.
        struct SteppedClock: TripClock {
            let clock: ManualClock
            let speed = 1.0
            let realTime = Duration.seconds(7)

            func now() -> Moment { clock.now() }
            func sleep(until deadline: Duration) async throws { try await clock.sleep(until: deadline) }
        }
        let report = try await report(clock: SteppedClock(clock: clock)) { [clock] _ in
            clock.advance(by: .seconds(5))
            return HTTPTransportResponse(status: 503)
        }
        #expect(report.latency == .zero)
        #expect(report.finished.steady - report.started.steady == .seconds(5))
    }

    @Test func `sends the token to the right URL and parses the answer`() async throws {
        let report = try await report { request in
            #expect(request.url == "https://engine.example/v1/providers/p/trips/tr-1")
            #expect(request.headers.contains { $0.name == "authorization" && $0.value.hasPrefix("Bearer eyJ") })
            return HTTPTransportResponse(
                status: 200,
                headers: [(name: "Date", value: "Thu, 01 Jan 2026 00:03:00 GMT")],
                body: [UInt8](#"{"name":"providers/p/trips/tr-1","tripStatus":"NEW"}"#.utf8)
            )
        }
        #expect(try report.outcome.get().status == .trip(.new))
        #expect(report.serverDate == clock.now().wall.addingTimeInterval(180))
        #expect(report.answer?.status == 200)
    }

    @Test func `no token is used past its exp because the endpoint's clock is slow`() async throws {
        let clock = clock
        let source = ScriptedTokenSource { fetch in
            var issued = FakeToken(fetch.context, issuedAt: clock.now().wall - 300, serial: fetch.number).issued
            issued.serverDate = clock.now().wall - 300
            return .token(issued)
        }
        let tokens = TokenProvider(source: source, clock: clock, seed: 1)
        let context = AuthorizationContext.journey(request.journey)
        _ = try await report(tokens: tokens) { _ in
            HTTPTransportResponse(status: 503, headers: [(name: "Date", value: "Thu, 01 Jan 2026 00:00:00 GMT")])
        }
        _ = try await tokens.token(for: context)
        #expect(tokens.status(of: context).clockOffset != .zero, "a gateway may have written the time of an error")
        _ = try await report(tokens: tokens) { _ in
            clock.stepWall(by: .seconds(600))
            return HTTPTransportResponse(
                status: 200,
                headers: [(name: "Date", value: "Thu, 01 Jan 2026 00:00:00 GMT")],
                body: [UInt8](#"{"name":"providers/p/trips/tr-1","tripStatus":"NEW"}"#.utf8)
            )
        }
        clock.stepWall(by: .seconds(-600))
        #expect(tokens.status(of: context).clockOffset != .zero, "the local clock was set during the request")
        _ = try await report(tokens: tokens) { _ in
            HTTPTransportResponse(
                status: 200,
                headers: [(name: "Date", value: "Thu, 01 Jan 2026 00:00:00 GMT")],
                body: [UInt8](#"{"name":"providers/p/trips/tr-1","tripStatus":"NEW"}"#.utf8)
            )
        }
        #expect(tokens.status(of: context).clockOffset == .zero)
    }

    @Test func `the service's time of a cached answer is its date plus its age`() async throws {
        let report = try await report { _ in
            HTTPTransportResponse(
                status: 200,
                headers: [(name: "Date", value: "Wed, 31 Dec 2025 23:56:40 GMT"), (name: "Age", value: "200")],
                body: [UInt8](#"{"name":"providers/p/trips/tr-1","tripStatus":"NEW"}"#.utf8)
            )
        }
        #expect(report.serverDate == clock.now().wall)
    }

    @Test func `an answer of a cache says nothing about the clock, and a refusal in it nothing about the token`()
        async throws
    {
        let tokens = provider()
        let cached = [(name: "Date", value: "Wed, 31 Dec 2025 23:50:00 GMT"), (name: "X-Cache", value: "HIT")]
        let body = Array(#"{"name":"providers/p/trips/tr-1","tripStatus":"NEW"}"#.utf8)
        let good = try await report(tokens: tokens) { _ in
            HTTPTransportResponse(status: 200, headers: cached, body: body)
        }
        #expect(good.cache?.text == "X-Cache: HIT")
        var state = TripState(id: request.journey)
        if case .success(let trip) = good.outcome { state.merge(trip, of: good) }
        #expect(state.clockOffset == .zero && state.cache == good.cache)
        let refused = Array(#"{"error":{"code":401,"status":"UNAUTHENTICATED","message":"no"}}"#.utf8)
        let report = try await report(tokens: tokens) { _ in
            HTTPTransportResponse(status: 401, headers: cached, body: refused)
        }
        #expect(report.cache?.text == "X-Cache: HIT")
        guard report.failure?.answer != nil else {
            Issue.record("\(String(describing: report.failure))")
            return
        }
        #expect(tokens.status(of: .journey(request.journey)).lastRejected == nil)
    }

    @Test func `a 304 is the error of a cache, because no conditional request was sent`() async throws {
        let failure = try #require(try await failure(status: 304))
        #expect(failure == .service(ServiceAnswer(httpStatus: 304), retryAfter: nil))
        #expect(failure.nameInJSON == "HTTP_304")
    }

    @Test(arguments: [("null", "an object is expected"), ("[]", "an object is expected")])
    func `the position of an error in the whole body is not written`(body: String, detail: String) async throws {
        #expect(try await failure(status: 200, body: body)?.detail == detail)
    }

    @Test func `distinguishes the kinds of failure`() async throws {
        #expect(try await failure(status: 302) == .redirected(httpStatus: 302))
        #expect(
            try await failure(status: 404, body: "<html><title>Not here</title></html>")
                == .webPage(httpStatus: 404, title: "Not here")
        )
        #expect(
            try await failure(status: 502, body: "<html><title>Bad Gateway</title></html>")
                == .service(ServiceAnswer(httpStatus: 502, message: "Bad Gateway"), retryAfter: nil)
        )
        #expect(
            try await failure(status: 200, body: #"{"name":"providers/p/trips/other"}"#)
                == .anotherTrip(try .trip(TripID("other")))
        )
        guard try await failure(status: 200, body: "{\"name\"")?.code == .unreadable else {
            Issue.record("a body that is cut off is not readable")
            return
        }
        let limited = try await failure(
            status: 429,
            headers: [("Retry-After", "7")],
            body: #"{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"9s"}]}}"#
        )
        #expect(limited?.answer?.status == "RESOURCE_EXHAUSTED")
        #expect(limited?.retryAfter == .seconds(9))
    }

    /// The errors that Fleet Engine documents for GetTrip, with the standard status names of Google's APIs.
    @Test(arguments: [
        (400, "INVALID_ARGUMENT"), (401, "UNAUTHENTICATED"), (403, "PERMISSION_DENIED"), (404, "NOT_FOUND"),
        (429, "RESOURCE_EXHAUSTED"), (503, "UNAVAILABLE"), (504, "DEADLINE_EXCEEDED"),
    ])
    func `retains the status name and the message of each documented error`(status: Int, name: String) async throws {
        let body = #"{"error":{"code":\#(status),"message":"why","status":"\#(name)"}}"#
        let failure = try await failure(status: status, body: body)
        #expect(failure?.nameInJSON == name)
        #expect(failure?.httpStatus == status)
        #expect(failure?.detail == "why")
        let bare = try await self.failure(status: status)
        #expect(bare?.nameInJSON == "HTTP_\(status)")
    }

    @Test(
        arguments: [
            (.refused, "REFUSED"), (.unknownHost, "UNKNOWN_HOST"), (.tls(reason: "expired"), "TLS"),
            (.wrongPort(reason: "no TLS"), "WRONG_PORT"),
            (.timedOut, "TIMED_OUT"), (.connectionLost, "CONNECTION_LOST"), (.cutOff, "CUT_OFF"),
            (.tooLarge(limit: 9), "TOO_LARGE"),
            (.malformed(reason: "no"), "MALFORMED"), (.invalidURL, "INVALID_URL"), (.other(reason: "no"), "OTHER"),
        ] as [(Failure, String)]
    )
    func `distinguishes network errors`(error: Failure, name: String) async throws {
        let report = try await report { _ throws(Failure) in throw error }
        #expect(report.failure == error)
        #expect(report.failure?.nameInJSON == "TRANSPORT_\(name)")
    }

    @Test func `reports what the service omitted because it has not changed`() async throws {
        var request = request
        let version = Version("2026-01-01T00:00:00Z")
        (request.routeVersion, request.trafficVersion) = (version, version)
        let client = FleetClient(
            endpoint: try ServiceEndpoint("https://engine.example"),
            tokens: provider(),
            transport: HTTPTransport { sent async throws(Failure) in
                let value = PercentEncoding.encode(version.rawValue)
                let query = "?currentRouteSegmentVersion=\(value)&currentRouteSegmentTrafficVersion=\(value)"
                #expect(sent.url.hasSuffix(query))
                let body = #"{"name":"providers/p/trips/tr-1","currentRouteSegmentVersion":"\#(version.rawValue)"}"#
                return HTTPTransportResponse(status: 200, body: [UInt8](body.utf8))
            },
            clock: clock
        )
        #expect(await client.get(request).leftOut == [.route])
    }

    @Test func `passes on a transport error`() async throws {
        let report = try await report { _ throws(Failure) in throw .refused }
        #expect(report.failure == .refused)
        #expect(report.call != nil && report.answer == nil)
    }

    @Test func `a report has the exchange of a failure with the body of an unusable answer, and none of a success`()
        async throws
    {
        @Sendable func exchange(_ answer: Exchange.Answer?, _ ending: Exchange.Ending) -> Exchange {
            let request = Exchange.Request(method: "GET", url: "https://engine.example/v1", headerNames: [], bytes: 0)
            return Exchange(.http, request, answer: answer, duration: .seconds(1), ending: ending)
        }
        let lost = exchange(nil, .failed(.connectionLost))
        #expect(try await report { _ throws(Failure) in throw .connectionLost.with(lost) }.failure?.exchange == lost)
        func answered(_ body: String) async throws -> PollReport {
            try await report { _ throws(Failure) in
                let bytes = Array(body.utf8)
                let answer = Exchange.Answer(status: 200, headers: [], body: bytes)
                return HTTPTransportResponse(status: 200, body: bytes, exchange: exchange(answer, .complete))
            }
        }
        #expect(try await answered("not JSON").failure?.exchange?.answer?.body?.content == .text("not JSON"))
        let good = try await answered(#"{"name":"providers/p/trips/tr-1"}"#)
        #expect(good.failure == nil)
    }

    @Test(arguments: [401, 403])
    func `does not send a refused token again`(status: Int) async throws {
        let refusal = ServiceError(httpStatus: status, status: status == 401 ? "UNAUTHENTICATED" : "PERMISSION_DENIED")
        let headers = try await headers(afterRefusal: HTTPTransportResponse(status: status, body: refusal.body))
        #expect(Set(headers).count == headers.count)
    }

    @Test func `a gateway's 403 says nothing about the token`() async throws {
        let answer = HTTPTransportResponse(status: 403, body: Array("RBAC: access denied".utf8))
        let headers = try await headers(afterRefusal: answer)
        #expect(headers.count == 2 && Set(headers).count == 1)
    }

    /// Returns the values of `authorization` of two calls, 30 s apart, that get an answer.
    private func headers(afterRefusal answer: HTTPTransportResponse) async throws -> [String] {
        let sent = Locked<[String]>([])
        let tokens = provider()
        for _ in 0..<2 {
            _ = try await report(tokens: tokens) { request in
                sent.withLock { $0.append(request.headers.first { $0.name == "authorization" }?.value ?? "") }
                return answer
            }
            clock.advance(by: .seconds(30))
        }
        return sent.withLock { $0 }
    }

    @Test(arguments: [
        ("https://fleetengine.googleapis.com", true), ("https://fleetengine.googleapis.com/", true),
        ("http://127.0.0.1:8080", true), ("http://localhost:1", true), ("http://engine.example", false),
        ("https://engine.example/v1", false), ("engine.example", false), ("ftp://engine.example", false), ("", false),
    ])
    func `accepts only HTTPS and loopback addresses`(url: String, isGood: Bool) {
        #expect(((try? ServiceEndpoint(url)) != nil) == isGood)
    }
}
