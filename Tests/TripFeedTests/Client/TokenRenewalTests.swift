import Failures
import FleetTokens
import FleetWire
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// A token that the service refuses with 401: one new token and one repetition, for every call that is made alone.
@Suite("Renewal of refused tokens", .ends(within: .quickTest))
struct TokenRenewalTests {
    private let clock = ManualClock()
    private let provider: ProviderID
    private let request: JourneyRequest

    init() throws {
        provider = try ProviderID("p")
        request = JourneyRequest(provider: provider, journey: try .trip(TripID("tr-1")))
    }

    /// A client, the tokens that it sent, and the source of its tokens.
    private struct Scene: Sendable {
        let client: FleetClient
        let sent: Sent
        let source: ScriptedTokenSource

        final class Sent: Sendable {
            let tokens = Locked<[String]>([])

            /// Records the token of a request; returns the number of the request, from 1.
            func add(_ request: HTTPTransportRequest) -> Int {
                tokens.withLock { tokens in
                    tokens.append(request.headers.first { $0.name == "authorization" }?.value ?? "")
                    return tokens.count
                }
            }

            var all: [String] { tokens.withLock { $0 } }
        }
    }

    /// Creates a scene in which each request takes a second, the least time between two fetches of a token.
    private func scene(
        sameToken: Bool = false,
        answer: @escaping @Sendable (_ request: Int) -> HTTPTransportResponse
    ) throws -> Scene {
        let (clock, sent) = (clock, Scene.Sent())
        let start = clock.now().wall
        let source = ScriptedTokenSource { fetch in
            let token =
                sameToken
                ? FakeToken(fetch.context, issuedAt: start, serial: 1)
                : FakeToken(fetch.context, issuedAt: clock.now().wall, serial: fetch.number)
            return .token(token.issued)
        }
        let client = FleetClient(
            endpoint: try ServiceEndpoint("https://engine.example"),
            tokens: TokenProvider(source: source, clock: clock, seed: 1),
            transport: HTTPTransport { request async throws(Failure) in
                let number = sent.add(request)
                clock.advance(by: .seconds(1))
                return answer(number)
            },
            clock: clock
        )
        return Scene(client: client, sent: sent, source: source)
    }

    private static func refusal(
        _ status: Int,
        headers: [(name: String, value: String)] = []
    ) -> HTTPTransportResponse {
        let name = status == 401 ? "UNAUTHENTICATED" : "PERMISSION_DENIED"
        let body = #"{"error":{"code":\#(status),"status":"\#(name)","message":"no"}}"#
        return HTTPTransportResponse(status: status, headers: headers, body: Array(body.utf8))
    }

    private static let trip = HTTPTransportResponse(
        status: 200,
        body: Array(#"{"name":"providers/p/trips/tr-1","tripStatus":"NEW"}"#.utf8)
    )

    @Test func `a refused token is replaced and the request repeated, although the token is young`() async throws {
        let scene = try scene { $0 == 1 ? Self.refusal(401) : Self.trip }
        var renewed: [Failure] = []
        let report = await scene.client.getRenewing(request) { renewed.append($0) }
        #expect(try report.outcome.get().status == .trip(.new))
        #expect(scene.sent.all.count == 2 && Set(scene.sent.all).count == 2)
        #expect(renewed.map(\.httpStatus) == [401])
        #expect(scene.source.fetches.map(\.reason) == [.needed, .rejected])
    }

    @Test func `a second refusal is final`() async throws {
        let scene = try scene { _ in Self.refusal(401) }
        var renewed = 0
        let report = await scene.client.getRenewing(request) { _ in renewed += 1 }
        #expect(report.failure?.httpStatus == 401 && renewed == 0)
        #expect(scene.sent.all.count == 2)
    }

    @Test func `without another token, the refusal is what happened`() async throws {
        let scene = try scene(sameToken: true) { _ in Self.refusal(401) }
        let report = await scene.client.getRenewing(request)
        #expect(report.failure?.httpStatus == 401 && report.failure?.isMissingToken == false)
        #expect(scene.sent.all.count == 1)
    }

    @Test func `neither a 403 nor a 401 of a cache is repeated`() async throws {
        for answer in [Self.refusal(403), Self.refusal(401, headers: [(name: "X-Cache", value: "HIT")])] {
            let scene = try scene { _ in answer }
            _ = await scene.client.getRenewing(request)
            #expect(scene.sent.all.count == 1, "\(answer.status)")
        }
    }

    @Test func `another failure after the repetition is not blamed on the token`() async throws {
        let scene = try scene { $0 == 1 ? Self.refusal(401) : HTTPTransportResponse(status: 503) }
        var renewed = 0
        let report = await scene.client.getRenewing(request) { _ in renewed += 1 }
        #expect(report.failure?.httpStatus == 503 && renewed == 1)
    }

    @Test func `each page of a list may renew its token`() async throws {
        let page: @Sendable (String) -> HTTPTransportResponse = { next in
            HTTPTransportResponse(
                status: 200,
                body: Array(#"{"trips":[{"name":"providers/p/trips/t\#(next)"}],"nextPageToken":"\#(next)"}"#.utf8)
            )
        }
        let clock = clock
        let scene = try scene { number in
            switch number {
            case 1: return Self.refusal(401)
            case 2:
                // The token of the next page is no longer young.
                clock.advance(by: .seconds(60))
                return page("2")
            case 3: return Self.refusal(401)
            default: return page("")
            }
        }
        var renewed = 0
        let listing = try await scene.client.listTrips(
            TripSearch(),
            in: provider,
            pages: 9,
            renewed: { _ in renewed += 1 }
        )
        #expect(listing.trips.count == 2 && !listing.hasMore && renewed == 2)
        #expect(Set(scene.sent.all).count == 3 && scene.sent.all.count == 4)
    }

    @Test(arguments: [401, 403])
    func `an access token is not judged by the rules of a JWT`(status: Int) async throws {
        let clock = clock
        let source = ScriptedTokenSource { fetch in
            var token = IssuedToken("ya29.a0AfH6SMBx\(fetch.number)", expiry: .after(.seconds(3600)))
            (token.isAccessToken, token.isNew) = (true, true)
            return .token(token)
        }
        let tokens = TokenProvider(source: source, clock: clock, seed: 1)
        let client = FleetClient(
            endpoint: try ServiceEndpoint("https://engine.example"),
            tokens: tokens,
            transport: HTTPTransport { _ in
                clock.advance(by: .seconds(1))
                return Self.refusal(status)
            },
            clock: clock
        )
        let failure = await #expect(throws: Failure.self) {
            try await client.listTrips(TripSearch(), in: provider, pages: 1)
        }
        #expect(failure?.brokenRule?.sentence.key == (status == 401 ? .verdictAccessToken : nil))
        #expect(failure?.brokenRule?.verdict == (status == 401 ? .doubtful : nil))
        #expect(failure?.brokenRule?.remedy?.key == (status == 401 ? .remedyAccessToken : nil))
        #expect(source.fetches.count == (status == 401 ? 2 : 1))
        let rejected = try #require(tokens.status(of: .server).lastRejected)
        #expect(rejected.findings.allSatisfy { $0.verdict != .broken })
    }

    @Test func `an access token that has expired says so`() async throws {
        let clock = clock
        let source = ScriptedTokenSource { _ in
            var token = IssuedToken("ya29.a0AfH6SMBx", expiry: .after(.seconds(100)))
            token.isAccessToken = true
            return .token(token)
        }
        let client = FleetClient(
            endpoint: try ServiceEndpoint("https://engine.example"),
            tokens: TokenProvider(source: source, clock: clock, seed: 1),
            transport: HTTPTransport { _ in
                clock.advance(by: .seconds(160))
                return Self.refusal(401)
            },
            clock: clock
        )
        let report = await client.searchTrips(TripSearch(), in: provider)
        guard case .failure(let failure) = report.outcome else {
            Issue.record("the search was refused")
            return
        }
        #expect(failure.brokenRule?.sentence.key == .verdictExpired)
    }
}
