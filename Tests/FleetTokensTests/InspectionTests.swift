import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Token inspection")
struct InspectionTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    private func broken(
        _ expectations: TokenInspection.Expectations? = nil,
        _ change: (inout FakeToken) -> Void
    ) throws -> [TokenRule] {
        let trip = AuthorizationContext.trip(try TripID("trip-A"))
        var token = FakeToken(trip, issuedAt: now - 60)
        change(&token)
        return TokenInspection.inspect(token.text, expectations ?? .init(context: trip), now: now).findings
            .filter { $0.verdict == .broken }.map(\.rule)
    }

    @Test func `each fault is found and nothing else is`() throws {
        #expect(try broken { _ in } == [])
        #expect(try broken { $0.algorithm = "HS256" } == [.algorithm])
        #expect(try broken { $0.audience = "https://fleetengine.googleapis.com" } == [.audience])
        #expect(try broken { $0.expiresAt = now - 1 } == [.expiry])
        #expect(try broken { $0.expiresAt = Date(timeIntervalSince1970: 1_767_228_900_000) } == [.expiry])
        #expect(try broken { $0.expiresAt = now + 7200 } == [.expiry, .lifetime])
        #expect(try broken { $0.issuedAt = now + 700 } == [.issuedAt])
        #expect(try broken { $0.authorization = nil } == [.authorization])
        #expect(try broken { $0.authorization = ["tripid": "trip-B"] } == [.identity])
        #expect(try broken { $0.authorization = ["vehicleid": "v"] } == [.identity])
        #expect(try broken { $0.authorization = ["tripid": "*"] } == [.scope])
        #expect(try broken { $0.authorization = ["tripid": "trip-A", "taskids": "a"] } == [.taskIDs])
    }

    @Test func `a missing slash and milliseconds are named`() throws {
        var token = FakeToken(.trip(try TripID("t")), issuedAt: now)
        token.audience = "https://fleetengine.googleapis.com"
        token.expiresAt = Date(timeIntervalSince1970: 1_767_228_900_000)
        let words = TokenInspection.inspect(token.text, .init(), now: now).findings.map(\.evidence).joined()
        #expect(words.contains("slash at its end is missing"))
        #expect(words.contains("exp is in milliseconds"))
    }

    @Test(arguments: [
        ("nonsense", "1 part where"), ("a.b", "2 parts where"), ("eyJ+.e30.x", "plain base64"),
        ("e30=.e30.c2ln", "padded"), ("e30.*.c2ln", "not base64url"), ("e30.bm8.c2ln", "not a JSON object"),
    ])
    func `text that is no JWT is told what is wrong`(text: String, words: String) {
        let inspection = TokenInspection.inspect(text, .init(), now: now)
        #expect(inspection.claims == nil)
        #expect(!inspection.isFaultless)
        #expect(inspection.findings.first?.evidence.contains(words) == true)
    }

    @Test func `an unsigned token, a missing kid and what copying adds are seen`() throws {
        let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let findings = TokenInspection.inspect("\(header).e30.", .init(), now: now).findings
        let broken = findings.filter { $0.verdict == .broken }.map(\.rule)
        #expect(Set(broken).isSuperset(of: [.algorithm, .keyID, .signature, .issuer, .expiry]))
        let token = FakeToken(.trip(try TripID("t")), issuedAt: now).text
        #expect(TokenInspection.inspect("Bearer \(token)\n", .init(), now: now).isFaultless)
    }

    @Test func `every finding that is broken says what to change`() throws {
        for text in ["x", "e30.e30.", FakeToken(.trip(try TripID("t")), issuedAt: now - 9000).text] {
            for finding in TokenInspection.inspect(text, .init(), now: now).findings where finding.verdict == .broken {
                #expect(finding.advice?.isEmpty == false)
            }
        }
    }
}
