import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Token admission")
struct AdmissionTests {
    private let now = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)

    private func admit(
        _ issued: IssuedToken,
        _ expectations: TokenExpectations = TokenExpectations(),
        policy: TokenPolicy = .standard
    ) throws -> AdmittedToken {
        try TokenAdmission(expectations: expectations, policy: policy)
            .admit(issued, for: .trip(try TripID("trip-A")), sentAt: now, receivedAt: now)
    }

    private func token(_ change: (inout FakeToken) -> Void) throws -> IssuedToken {
        var token = FakeToken(.trip(try TripID("trip-A")), issuedAt: now.wall)
        change(&token)
        return token.issued
    }

    // 28
    @Test func `a token that says no end is refused unless a life is assumed`() throws {
        let endless = try token { $0.expiresAt = nil }
        #expect(throws: TokenFault.missingExpiry) { try admit(endless) }
        let assumed = try admit(endless, policy: TokenPolicy(assumedLifetime: .seconds(600)))
        #expect(assumed.left == .seconds(600))
        #expect(assumed.warnings == [.assumedLifetime(.seconds(600))])
    }

    // 60
    @Test func `a token for another trip is refused and its ID not told`() throws {
        let other = try token { $0.authorization = ["tripid": "trip-B"] }
        #expect(throws: TokenFault.boundToAnother) { try admit(other) }
        #expect(!"\(TokenError.unusable(.boundToAnother, retryAfter: .zero))".contains("trip-B"))
        #expect(throws: TokenFault.boundToAnother) { try admit(try token { $0.authorization = ["tripid": "TRIP-A"] }) }
        #expect(throws: TokenFault.wrongKind) { try admit(try token { $0.authorization = ["vehicleid": "trip-A"] }) }
        #expect(throws: TokenFault.authorizationMissing) { try admit(try token { $0.authorization = nil }) }
    }

    // 61
    @Test func `a wildcard is refused unless it is allowed`() throws {
        let wild = try token { $0.authorization = ["tripid": "*"] }
        #expect(throws: TokenFault.overBroad) { try admit(wild) }
        #expect(try admit(wild, TokenExpectations(allowsWildcard: true)).warnings == [.wildcard])
    }

    // 63
    @Test(arguments: ["a.b", "a.b.c.d", "a.b.c\r\nX: y", "a b.c.d", "é.a.b", "", "..", "=.a.b"])
    func `text that is no token is refused`(text: String) {
        #expect(throws: TokenFault.malformed) { try admit(IssuedToken(text)) }
    }

    @Test func `unsigned and oversized tokens are refused`() throws {
        #expect(throws: TokenFault.unsigned) { try admit(try token { $0.algorithm = "none" }) }
        let long = String(repeating: "a", count: 9 << 10)
        #expect(throws: TokenFault.tooLong(bytes: 9 << 10)) { try admit(IssuedToken(long)) }
    }

    @Test func `escaped slashes and fractional times are accepted`() throws {
        let header = Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))
        let claims =
            #"{"aud":"https:\/\/fleetengine.googleapis.com\/","exp":1767228900.25,"iat":1767225600.5,"#
            + #""authorization":{"tripid":"trip-A"}}"#
        let payload = Base64URL.encode(Array(claims.utf8))
        #expect(try admit(IssuedToken("\(header).\(payload).c2ln")).left > .seconds(3299))
    }

    @Test func `the audience has to be the service's, slash included`() throws {
        let wrong = try token { $0.audience = "https://fleetengine.googleapis.com" }
        #expect(throws: TokenFault.wrongAudience) { try admit(wrong) }
    }

    @Test func `absurd times are refused with their cause`() throws {
        let late = try token { $0.expiresAt = Date(timeIntervalSince1970: 1_767_228_900_000) }
        #expect(throws: TokenFault.expiryInMilliseconds) { try admit(late) }
        let long = try token { $0.expiresAt = now.wall + 7200 }
        #expect(throws: TokenFault.tooLongLived(.seconds(7200))) { try admit(long) }
        let future = try token {
            $0.issuedAt = now.wall + 1000
            $0.expiresAt = now.wall + 3000
        }
        #expect(throws: TokenFault.issuedInFuture(by: .seconds(1000))) { try admit(future) }
        let short = try token { $0.expiresAt = now.wall + 1 }
        #expect(throws: TokenFault.tooShort(left: .seconds(1))) { try admit(short) }
    }

    @Test func `the earlier of two ends counts, and a difference is told`() throws {
        var issued = try token { _ in }
        issued.expiry = .at(now.wall + 600)
        let admitted = try admit(issued)
        #expect(admitted.left == .seconds(600))
        #expect(admitted.warnings == [.expiryDisagreement(token: now.wall + 3300, endpoint: now.wall + 600)])
        issued.expiry = .after(.seconds(3300))
        #expect(try admit(issued).warnings.isEmpty)
    }

    @Test func `an opaque token lives as long as its endpoint says`() throws {
        let opaque = IssuedToken("abc123", expiry: .after(.seconds(600)))
        let admitted = try admit(opaque)
        #expect(admitted.left == .seconds(600))
        #expect(admitted.warnings == [.opaque])
        #expect(throws: TokenFault.missingExpiry) { try admit(IssuedToken("abc123")) }
        #expect(throws: TokenFault.opaque) { try admit(opaque, TokenExpectations(acceptsOpaqueTokens: false)) }
    }
}
