import FleetTokens
import Foundation
import Testing
import TripModel

/// Tokens whose claims are written by hand.
@Suite("Token inspection: odd claims")
struct InspectionDetailTests {
    private static let now = Date(timeIntervalSince1970: 1_767_225_600)

    /// A token that is right in everything that is not changed here.
    private func inspect(
        _ changes: [String: String],
        authorization: String = #"{"tripid":"trip-A"}"#,
        isForServer: Bool = false,
        around: (String) -> String = { $0 }
    ) throws -> [TokenFinding] {
        var claims = [
            "iss": #""a@b""#, "sub": #""a@b""#, "aud": #""https://fleetengine.googleapis.com/""#, "iat": "1767225540",
            "exp": "1767228840", "authorization": authorization,
        ]
        claims.merge(changes) { $1 }
        let payload = "{" + claims.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ",") + "}"
        let parts = [#"{"alg":"RS256","kid":"k","typ":"JWT"}"#, payload, "signature"].map { Array($0.utf8) }
        let context = isForServer ? nil : AuthorizationContext.trip(try TripID("trip-A"))
        let expectations = TokenInspection.Expectations(context: context, isForServer: isForServer)
        let token = around(parts.map(Base64URL.encode).joined(separator: "."))
        return TokenInspection.inspect(token, expectations, now: Self.now).findings
    }

    private func broken(_ findings: [TokenFinding]) -> [TokenRule] {
        findings.filter { $0.verdict == .broken }.map(\.rule)
    }

    @Test func `a token without oddities is without fault`() throws {
        #expect(try broken(inspect([:])) == [])
    }

    @Test func `nbf in the future is not yet valid`() throws {
        let findings = try inspect(["nbf": "1767229200"])
        #expect(broken(findings) == [.issuedAt])
        #expect(findings.contains { $0.evidence.contains("nbf lies 1 h ahead") })
    }

    @Test(arguments: ["deliveryvehicleid", "taskid", "trackingid", "vehicleid"])
    func `a wildcard in any member is over-broad`(name: String) throws {
        #expect(try broken(inspect([:], authorization: #"{"tripid":"trip-A","\#(name)":"*"}"#)) == [.scope])
    }

    @Test func `a wildcard in a list is over-broad, and a list of tasks is not`() throws {
        #expect(try broken(inspect([:], authorization: #"{"tripid":"trip-A","taskids":["*"]}"#)) == [.scope])
        #expect(try broken(inspect([:], authorization: #"{"tripid":"trip-A","taskids":["one"]}"#)) == [])
    }

    @Test func `one ID is said of one ID only`() throws {
        let both = try inspect([:], authorization: #"{"tripid":"trip-A","vehicleid":"taxi"}"#)
        #expect(both.contains { $0.rule == .scope && $0.evidence.contains("one trip and one vehicle") })
        let none = try inspect([:], authorization: "{}")
        #expect(none.contains { $0.rule == .scope && $0.verdict == .unchecked })
    }

    @Test(arguments: [("exp", TokenRule.expiry), ("iat", .issuedAt), ("nbf", .issuedAt)])
    func `a number in quotes is not called missing`(claim: String, rule: TokenRule) throws {
        let findings = try inspect([claim: #""1767228840""#])
        let finding = try #require(findings.first { $0.rule == rule })
        #expect(finding.verdict == .broken)
        #expect(finding.evidence == "\(claim) is there, but it is no number.")
    }

    @Test func `text that is a number is not called missing either`() throws {
        #expect(try inspect(["iss": "5"]).contains { $0.evidence == "iss or sub is not text." })
        let wrong = try inspect([:], authorization: #"{"tripid":5}"#)
        #expect(wrong.contains { $0.evidence == "authorization.tripid is not text." })
    }

    @Test func `a list of audiences is shown whole`() throws {
        let right = try inspect(["aud": #"["https://fleetengine.googleapis.com/","x"]"#])
        #expect(right.contains { $0.rule == .audience && $0.evidence.contains("a list") })
        let slash = try inspect(["aud": #"["x","https://fleetengine.googleapis.com"]"#])
        #expect(slash.contains { $0.rule == .audience && $0.evidence.contains("slash at its end is missing") })
    }

    @Test func `a server's token needs both wildcards`() throws {
        #expect(try broken(inspect([:], authorization: #"{"tripid":"*"}"#, isForServer: true)) == [.scope])
        #expect(try broken(inspect([:], authorization: #"{"tripid":"*","vehicleid":"*"}"#, isForServer: true)) == [])
    }

    @Test func `a life of a little over an hour is told as it is`() throws {
        let findings = try inspect(["iat": "1767225500", "exp": "1767229150"])
        #expect(findings.contains { $0.rule == .lifetime && $0.evidence.hasPrefix("It lives 3650 s") })
    }

    @Test(arguments: ["\"Bearer X\"", "Authorization: Bearer X", "'X'", "\u{FEFF}X\n", "bearer X"])
    func `what comes with copying is taken off`(form: String) throws {
        #expect(try broken(inspect([:]) { form.replacing("X", with: $0) }) == [])
    }
}
