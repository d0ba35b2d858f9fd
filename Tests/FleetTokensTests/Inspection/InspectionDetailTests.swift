import Failures
import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport
import TripText

/// Tokens with hand-written claims.
@Suite("Token inspection: odd claims", .ends(within: .quickTest))
struct InspectionDetailTests {
    private static let now = Date(timeIntervalSince1970: 1_767_225_600)

    /// A valid token except for the given changes.
    private func inspect(
        _ changes: [String: String],
        authorization: String = #"{"tripid":"trip-A"}"#,
        isForServer: Bool = false,
        header: String = #"{"alg":"RS256","kid":"k","typ":"JWT"}"#,
        signatureBytes: Int = 256,
        provider: String? = nil,
        around: (String) -> String = { $0 }
    ) throws -> [TokenFinding] {
        var claims = [
            "iss": #""a@b""#, "sub": #""a@b""#, "aud": #""https://fleetengine.googleapis.com/""#, "iat": "1767225540",
            "exp": "1767228840", "authorization": authorization,
        ]
        claims.merge(changes) { $1 }
        let payload = "{" + claims.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ",") + "}"
        let signature = [UInt8](repeating: 7, count: signatureBytes)
        let parts = [Array(header.utf8), Array(payload.utf8), signature]
        let context = isForServer ? nil : AuthorizationContext.trip(try TripID("trip-A"))
        let expectations = TokenInspection.Expectations(
            context: context,
            providerID: provider,
            isForServer: isForServer
        )
        let token = around(parts.map(Base64URL.encode).joined(separator: "."))
        return TokenInspection.inspect(token, expectations, now: Self.now).findings
    }

    private func broken(_ findings: [TokenFinding]) -> [TokenRule] {
        findings.filter { $0.verdict == .broken }.map(\.rule)
    }

    @Test func `a valid token is faultless`() throws {
        #expect(try broken(inspect([:])) == [])
    }

    @Test func `detects a truncated signature for algorithms with a known signature length`() throws {
        let cut = try inspect([:], signatureBytes: 181)
        #expect(broken(cut) == [.signature])
        #expect(cut.contains { $0.evidence.contains("181 bytes") && $0.advice?.contains("copying") == true })
        let other = try inspect([:], header: #"{"alg":"ES256","kid":"k"}"#, signatureBytes: 64)
        #expect(broken(other) == [.algorithm])
    }

    @Test func `reports an issuer that is not an address and does not judge one without a project`() throws {
        for name in ["foo", ""] {
            #expect(try broken(inspect(["iss": "\"\(name)\"", "sub": "\"\(name)\""])) == [.issuer])
        }
        let own = ["iss": #""me@mail.example""#, "sub": #""me@mail.example""#]
        #expect(try broken(inspect(own, provider: "p")) == [])
        #expect(try inspect(own, provider: "p").contains { $0.rule == .issuer && $0.verdict == .unchecked })
        let account = #""x@p.iam.gserviceaccount.com""#
        let right = try inspect(["iss": account, "sub": account], provider: "p")
        #expect(right.contains { $0.rule == .issuer && $0.verdict == .satisfied })
        let foreign = try inspect(["iss": account, "sub": account], provider: "q")
        #expect(foreign.contains { $0.rule == .issuer && $0.verdict == .doubtful })
        #expect(broken(foreign) == [])
    }

    @Test func `reports an empty ID as naming no trip`() throws {
        #expect(try broken(inspect([:], authorization: #"{"tripid":""}"#)) == [.identity])
    }

    @Test func `reports a wrong type in the header or in aud as wrong, not as missing`() throws {
        let kid = try inspect([:], header: #"{"alg":"RS256","kid":5}"#)
        #expect(kid.contains { $0.rule == .keyID && $0.evidence == "kid is 5, not a string." })
        let alg = try inspect([:], header: #"{"alg":256,"kid":"k"}"#)
        #expect(alg.contains { $0.rule == .algorithm && $0.evidence == "alg is 256, not a string." })
        #expect(try inspect(["aud": "5"]).contains { $0.evidence == "aud is 5, not a string." })
    }

    @Test func `attributes an nbf slightly in the future to the signer's clock`() throws {
        let findings = try inspect(["nbf": "1767225900"])
        #expect(broken(findings) == [])
        #expect(findings.contains { $0.rule == .issuedAt && $0.evidence.contains("clock is 5 min ahead") })
    }

    @Test func `reports nbf in the future as not yet valid`() throws {
        let findings = try inspect(["nbf": "1767229200"])
        #expect(broken(findings) == [.issuedAt])
        #expect(findings.contains { $0.evidence.contains("nbf is 1 h ahead") })
    }

    @Test(arguments: ["deliveryvehicleid", "taskid", "trackingid", "vehicleid"])
    func `reports a wildcard in any authorization claim as too broad`(name: String) throws {
        #expect(try broken(inspect([:], authorization: #"{"tripid":"trip-A","\#(name)":"*"}"#)) == [.scope])
    }

    @Test func `reports a wildcard in a list as too broad, but not a list of tasks`() throws {
        #expect(try broken(inspect([:], authorization: #"{"tripid":"trip-A","taskids":["*"]}"#)) == [.scope])
        #expect(try broken(inspect([:], authorization: #"{"tripid":"trip-A","taskids":["one"]}"#)) == [])
    }

    @Test func `names both IDs of a token for a trip and a vehicle, and does not judge a token without IDs`() throws {
        let both = try inspect([:], authorization: #"{"tripid":"trip-A","vehicleid":"taxi"}"#)
        #expect(both.contains { $0.rule == .scope && $0.evidence.contains("one trip and one vehicle") })
        let none = try inspect([:], authorization: "{}")
        #expect(none.contains { $0.rule == .scope && $0.verdict == .unchecked })
    }

    @Test(arguments: [("exp", TokenRule.expiry), ("iat", .issuedAt), ("nbf", .issuedAt)])
    func `does not report a quoted number as missing`(claim: String, rule: TokenRule) throws {
        let findings = try inspect([claim: #""1767228840""#])
        let finding = try #require(findings.first { $0.rule == rule })
        #expect(finding.verdict == .broken)
        #expect(finding.evidence == "\(claim) is \"1767228840\", not a number.")
    }

    @Test func `does not report a numeric string as missing`() throws {
        #expect(try inspect(["iss": "5"]).contains { $0.evidence == "iss is 5, not a string." })
        let wrong = try inspect([:], authorization: #"{"tripid":5}"#)
        #expect(wrong.contains { $0.evidence == "authorization.tripid is 5, not a string." })
    }

    @Test func `shows a list of audiences completely`() throws {
        let right = try inspect(["aud": #"["https://fleetengine.googleapis.com/","x"]"#])
        #expect(right.contains { $0.rule == .audience && $0.evidence.contains("a list") })
        let slash = try inspect(["aud": #"["x","https://fleetengine.googleapis.com"]"#])
        #expect(slash.contains { $0.rule == .audience && $0.evidence.contains("slash at its end is missing") })
    }

    @Test func `requires both wildcards in a server token`() throws {
        #expect(try broken(inspect([:], authorization: #"{"tripid":"*"}"#, isForServer: true)) == [.scope])
        #expect(try broken(inspect([:], authorization: #"{"tripid":"*","vehicleid":"*"}"#, isForServer: true)) == [])
    }

    @Test func `shows a lifetime of slightly over an hour exactly`() throws {
        let findings = try inspect(["iat": "1767225500", "exp": "1767229150"])
        #expect(findings.contains { $0.rule == .lifetime && $0.evidence.hasPrefix("Its lifetime is 3650 s") })
    }

    @Test(arguments: ["\"Bearer X\"", "Authorization: Bearer X", "'X'", "\u{FEFF}X\n", "bearer X"])
    func `removes what copying adds around a token`(form: String) throws {
        #expect(try broken(inspect([:]) { form.replacing("X", with: $0) }) == [])
    }
}
