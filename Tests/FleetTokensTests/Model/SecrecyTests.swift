import Failures
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripTestSupport

@testable import FleetTokens
@testable import tripshare

@Suite("Token secrecy", .ends(within: .quickTest))
struct SecrecyTests {
    // 64
    @Test func `no printed text contains a part of the token`() async throws {
        let scene = try TokenScene()
        let events = scene.provider.events()
        let token = try await scene.provider.token(for: scene.trip)
        let issued = scene.token(serial: 1)
        var printed = "\(token) \(String(reflecting: token)) \(issued) \(scene.provider.status(of: scene.trip))"
        dump(token, to: &printed)
        dump(issued, to: &printed)
        dump(scene.provider.status(of: scene.trip), to: &printed)
        dump(TokenInspection.inspect(issued.revealed, .init(), now: scene.clock.now().wall), to: &printed)
        // The token is cached and handed out, so that the provider holds it in every place.
        _ = (scene.provider.peek(at: scene.trip), scene.provider.cached(for: scene.trip))
        dump(scene.provider, to: &printed)
        dump(scene.provider.state.withLock { (Array($0.keys.all), $0.counters) }, to: &printed)
        scene.clock.advance(by: .seconds(60))
        scene.provider.reject(token, for: scene.trip, status: 401)
        _ = try await scene.provider.token(for: scene.trip)
        // A rejection of a token that was just issued, for the error that callers get then.
        let renewed = scene.provider.cached(for: scene.trip)
        let second = try #require(renewed)
        scene.provider.reject(second, for: scene.trip, status: 403)
        guard case .failure(let error) = await scene.outcome() else { throw TokenError.closed }
        dump(error, to: &printed)
        printed += "\(error) \(error.localizedDescription) \(scene.provider.counters)"
        await scene.provider.close()
        for await event in events { dump(event, to: &printed) }
        for token in [token, second] { expectNoPiece(of: token.revealed, in: printed) }
    }

    @Test func `a token for another trip is not retained, and events name its trip but not the token`() async throws {
        let clock = ManualClock()
        let foreign = FakeToken(.trip(try TripID("trip-B")), issuedAt: clock.now().wall).text
        let scene = try TokenScene { _ in .token(IssuedToken(foreign)) }
        let events = scene.provider.events()
        #expect(await scene.outcome().error?.code == "unusable.bound_to_another")
        #expect(scene.provider.cached(for: scene.trip) == nil)
        #expect(scene.provider.status(of: scene.trip).generation == 0)
        await scene.provider.close()
        var printed = ""
        for await event in events { dump(event, to: &printed) }
        #expect(printed.contains("tokenBoundToAnother"))
        #expect(printed.contains("trip-B"))
        expectNoPiece(of: foreign, in: printed)
    }

    /// Expects that a text contains no twelve consecutive characters of a secret.
    private func expectNoPiece(of secret: String, in text: String) {
        let secret = Array(secret.utf8)
        let seen = Set(
            text.utf8.indices.lazy.compactMap { start in
                text.utf8.index(start, offsetBy: 12, limitedBy: text.utf8.endIndex).map { Array(text.utf8[start..<$0]) }
            }
        )
        for start in 0...secret.count - 12 { #expect(!seen.contains(Array(secret[start..<start + 12]))) }
    }

    // 65
    @Test func `wipes the bytes when the last copy is released`() {
        let rest = Locked<[UInt8]?>(nil)
        var secret: SecretBytes? = SecretBytes("very secret") { bytes in rest.withLock { $0 = bytes } }
        #expect(secret?.text == "very secret")
        secret = nil
        #expect(rest.withLock { $0 } == [UInt8](repeating: 0, count: 11))
    }

    // 65
    @Test func `wipes the bytes of a token that is replaced, rejected, evicted or closed`() async throws {
        let clock = ManualClock()
        // The task that completed the fetch may hold its token a moment longer.
        let (wiped, wiping) = AsyncStream.makeStream(of: Int.self)
        var wipes = wiped.makeAsyncIterator()
        let source = ScriptedTokenSource { fetch in
            let text = FakeToken(fetch.context, issuedAt: clock.now().wall, serial: fetch.number).text
            let secret = SecretBytes(text) { rest in
                #expect(rest.count == text.utf8.count && rest.allSatisfy { $0 == 0 })
                wiping.yield(fetch.number)
            }
            return .token(IssuedToken(secret))
        }
        let policy = try TokenPolicy(keyLimit: 1)
        let provider = TokenProvider(source: source, clock: clock, policy: policy, seed: 1)
        let events = provider.events()
        func stored(_ generation: Int) async {
            _ = await TokenScene.collect(events) { $0 == .stored(generation: generation) }
        }
        let trip = AuthorizationContext.trip(try TripID("trip-A"))

        _ = try await provider.token(for: trip)
        await stored(1)
        clock.advance(by: .seconds(60))
        provider.refresh(trip)
        await stored(2)
        #expect(await wipes.next() == 1)

        clock.advance(by: .seconds(60))
        provider.reject(try #require(provider.cached(for: trip)), for: trip, status: 401)
        await stored(3)
        #expect(await wipes.next() == 2)

        clock.advance(by: .seconds(60))
        _ = try await provider.token(for: .trip(try TripID("trip-B")))
        #expect(await wipes.next() == 3)
        await provider.close()
        #expect(await wipes.next() == 4)
    }

    // 66
    @Test(arguments: [301, 302, 303, 307, 308])
    func `does not follow a redirect, so that no secret reaches another host`(status: Int) async throws {
        let asked = Locked<[HTTPTransportRequest]>([])
        let transport = HTTPTransport { request throws(Failure) in
            asked.withLock { $0.append(request) }
            return HTTPTransportResponse(status: status, headers: [("Location", "https://elsewhere.example/")])
        }
        let header = try #require(SecretHeader(name: "X-Login", origin: .variable("LOGIN")))
        let source = HTTPTokenSource(
            template: try TokenURLTemplate("https://example.com/{tripId}"),
            transport: transport,
            headers: HTTPTokenSource.reading([header], environment: ["LOGIN": "open sesame"])
        )
        await #expect(throws: Failure.sourceRedirected(status: status)) {
            try await source.fetch(.trip(try TripID("t")), reason: .needed)
        }
        let requests = asked.withLock { $0 }
        #expect(requests.map(\.url) == ["https://example.com/t"])
        #expect(requests.first?.headers.contains { $0.name == "X-Login" && $0.value == "open sesame" } == true)
    }

    // 66
    @Test func `accepts a URL without TLS only for loopback addresses`() throws {
        #expect(throws: Failure.sourceInsecureURL) { try TokenURLTemplate("http://example.com/{tripId}") }
        #expect(throws: Failure.sourceInsecureURL) { try TokenURLTemplate("http://127.0.0.1.example.com/{tripId}") }
        #expect(throws: Failure.sourceInvalidURL) { try TokenURLTemplate("https://{tripId}/token") }
        #expect(throws: Failure.sourceInvalidURL) { try TokenURLTemplate("ftp://example.com/{tripId}") }
        for good in ["http://127.0.0.1:8080/{tripId}", "http://[::1]/{tripId}", "https://example.com/{tripId}"] {
            #expect(throws: Never.self) { try TokenURLTemplate(good) }
        }
        #expect(throws: Never.self) { try TokenURLTemplate("http://example.com/{tripId}", allowsPlainHTTP: true) }
    }

    @Test func `a secret may be empty`() {
        #expect(SecretBytes("").text.isEmpty && SecretBytes("").count == 0)
    }
}
