import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripTestSupport

@testable import FleetEmulator

@Suite("The token endpoint for development", .ends(within: .quickTest))
struct TokenServiceTests {
    private static let login = "Bearer 0123456789abcdef"
    private let clock = ManualClock()
    private let lines = Lines()

    private final class Lines: Sendable {
        private let all = Mutex<[TokenService.Audit]>([])

        var audits: [TokenService.Audit] { all.withLock { $0 } }
        func add(_ line: TokenService.Audit) { all.withLock { $0.append(line) } }
    }

    private func service(
        limit: Int = 60,
        format: TokenEndpointFormat = TokenEndpointFormat(),
        refusal: TokenService.Refusal? = nil
    ) throws -> TokenService {
        var options = TokenService.Options()
        (options.requestsPerMinute, options.format) = (limit, format)
        let (clock, lines) = (clock, lines)
        return TokenService(
            options,
            login: try #require(EndpointLogin(Self.login + "\n")),
            clock: clock,
            sign: { context throws(TokenService.Refusal) in
                if let refusal { throw refusal }
                return FakeToken(context, issuedAt: clock.now().wall).issued
            },
            audit: { lines.add($0) }
        )
    }

    private func answer(
        _ service: TokenService,
        _ target: String,
        method: String = "GET",
        login: String? = Self.login,
        peer: String? = nil
    ) async throws -> PlainResponse {
        var request = try #require(
            PlainRequest(method: method, target: target, authorization: login, body: [])
        )
        request.peer = peer
        return await service.answer(request, at: clock.now().wall)
    }

    @Test(
        arguments: [
            ("consumer", "tripid"), ("driver", "vehicleid"), ("delivery_consumer", "trackingid"),
            ("delivery_driver", "deliveryvehicleid"),
        ]
    )
    func `gives each kind of token in the form of Google's samples`(type: String, claim: String) async throws {
        let response = try await answer(try service(), "/token/\(type)/x-1")
        #expect(response.status == 200)
        #expect(response.headers.contains { $0 == ("Cache-Control", "no-store") })
        let issued = try TokenAnswerFormat(expirationKey: "expirationTimestamp").read(response.body)
        let claims = try TokenClaims(token: issued.revealed)
        #expect(claims.expiresAt.map { IssuedToken.Expiry.at($0) } == issued.expiry)
        #expect(claims.ids.map(\.kind.claimName) == [claim])
        #expect(claims.ids.map(\.id) == ["x-1"])
        #expect(lines.audits.last?.context.flatMap(TokenService.type) == type)
    }

    @Test func `the other form has names in snake case`() async throws {
        let response = try await answer(try service(format: .snakeCase), "/token/consumer/trip-1")
        let body = try #require(JSONValue(response.body))
        #expect(body["token"]?.string?.hasPrefix("eyJ") == true)
        #expect(body["expiration_timestamp_ms"]?.number == clock.now().wall.timeIntervalSince1970 * 1000 + 3_300_000)
        #expect(body["creation_timestamp_ms"] != nil)
    }

    @Test(arguments: [nil, "", "Bearer", "Bearer wrong-wrong-wrong", "0123456789abcdef", "Bearer 0123456789abcdef0"])
    func `gives nothing without the login`(login: String?) async throws {
        let response = try await answer(try service(), "/token/consumer/trip-1", login: login)
        #expect(response.status == 401)
        #expect(lines.audits.map(\.context) == [nil])
    }

    @Test(arguments: [
        "/token/server", "/token/consumer/*", "/token/delivery/x", "/token/consumer/", "/", "/token/a/b/c",
        "/token/consumer/%20*", "/token/consumer/*%20", "/token/driver/%09*%0A", "/token/consumer/*%00",
        "/token/consumer/%E2%80%8B*", "/token/delivery_driver/%C2%A0*",
        // U+2800 *, %2A, %252A, U+FF0A, a space, U+2800, and U+202E before a letter
        "/token/consumer/%E2%A0%80*", "/token/consumer/%252A", "/token/consumer/%25252A", "/token/consumer/%EF%BC%8A",
        "/token/consumer/%20%252a", "/token/consumer/%20", "/token/driver/%E2%A0%80", "/token/consumer/%E2%80%AEa",
    ])
    func `gives no token for several trips or something else`(target: String) async throws {
        let response = try await answer(try service(), target)
        #expect((400..<500).contains(response.status))
        #expect(!String(decoding: response.body, as: UTF8.self).contains("eyJ"))
    }

    @Test(arguments: ["a%00", "%00", "a%0Ab", "%1B%5B2J", "a%7F", "a%C2%85"])
    func `gives no token for an ID with control characters`(id: String) async throws {
        let response = try await answer(try service(), "/token/consumer/\(id)")
        #expect(response.status == 400)
        #expect(lines.audits.map(\.context) == [nil])
    }

    @Test(arguments: [
        ("a%20b", "a b"), ("%F0%9F%9A%95", "\u{1F695}"), ("a*", "a*"), ("**", "**"), ("100%25", "100%"),
        ("a%252Ab", "a%2Ab"),
    ])
    func `other IDs that the service accepts get a token`(path: String, id: String) async throws {
        let response = try await answer(try service(), "/token/consumer/\(path)")
        #expect(response.status == 200)
        #expect(lines.audits.last?.context?.id == id)
    }

    @Test func `only GET gets a token`() async throws {
        #expect(try await answer(try service(), "/token/consumer/trip-1", method: "POST").status == 405)
    }

    @Test func `limits the requests with the login of a minute`() async throws {
        let service = try service(limit: 3)
        for _ in 1...3 { #expect(try await answer(service, "/token/consumer/t").status == 200) }
        let refused = try await answer(service, "/token/consumer/t")
        #expect(refused.status == 429)
        #expect(refused.headers.contains { $0.name == "Retry-After" && (1...60).contains(Int($0.value) ?? 0) })
        clock.advance(by: .seconds(60))
        #expect(try await answer(service, "/token/consumer/t").status == 200)
    }

    @Test func `requests without the login do not use up the limit of those with it`() async throws {
        let service = try service(limit: 3)
        for login in [nil, "Bearer guessed-guessed-guess", "", "Bearer"] {
            for _ in 1...3 {
                #expect(try await answer(service, "/token/consumer/t", login: login).status == 401)
            }
        }
        for _ in 1...3 { #expect(try await answer(service, "/token/consumer/t").status == 200) }
        #expect(try await answer(service, "/token/consumer/t").status == 429)
        #expect(try await answer(service, "/token/consumer/t", login: nil).status == 401)
    }

    @Test func `a client at another address has a limit of its own`() async throws {
        let service = try service(limit: 1)
        for peer in ["192.0.2.1", "192.0.2.2", "2001:db8::1"] {
            #expect(try await answer(service, "/token/consumer/t", peer: peer).status == 200)
            #expect(try await answer(service, "/token/consumer/t", peer: peer).status == 429)
        }
    }

    @Test func `clients beyond a thousand share one limit`() async throws {
        let service = try service(limit: 1)
        for number in 0..<1000 {
            #expect(try await answer(service, "/token/consumer/t", peer: "client-\(number)").status == 200)
        }
        let further = [
            try await answer(service, "/token/consumer/t", peer: "further-1").status,
            try await answer(service, "/token/consumer/t", peer: "further-2").status,
        ]
        #expect(further == [200, 429])
    }

    @Test func `says why the signer refuses`() async throws {
        let service = try service(refusal: .init(status: 502, message: "the permission is missing"))
        let response = try await answer(service, "/token/consumer/trip-1")
        #expect(response.status == 502)
        #expect(String(decoding: response.body, as: UTF8.self).contains("the permission is missing"))
    }

    @Test func `the audit has who asked for what, and no token`() async throws {
        let response = try await answer(try service(), "/token/consumer/trip-1")
        let line = try #require(lines.audits.first)
        #expect(line.context == .trip(try TripID("trip-1")))
        #expect(line.status == 200)
        let token = try #require(JSONValue(response.body)?["jwt"]?.string)
        #expect(line.token?.fingerprint == tokenFingerprint(of: token))
        #expect(!"\(line)".contains(token.suffix(40)))
    }

    @Test(arguments: ["", "short", "Bearer short", "with a space in between it", "Bearer \u{7}23456789abcdef0"])
    func `a file without a usable secret is no login`(text: String) {
        #expect(EndpointLogin(text) == nil)
    }

    @Test func `a new login is random and usable`() throws {
        let (first, second) = (EndpointLogin.generate(), EndpointLogin.generate())
        #expect(first != second)
        let login = try #require(EndpointLogin(first))
        #expect(login.isMet(by: first))
        #expect(!login.isMet(by: second))
        #expect("\(login)" == "<login>")
    }
}
