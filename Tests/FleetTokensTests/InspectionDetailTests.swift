import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport
import TripText

/// Tokens whose claims are written by hand.
@Suite("Token inspection: odd claims", .ends(within: .minutes(10)))
struct InspectionDetailTests {
    private static let now = Date(timeIntervalSince1970: 1_767_225_600)

    /// A token that is right in everything that is not changed here.
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

    @Test func `a token without oddities is without fault`() throws {
        #expect(try broken(inspect([:])) == [])
    }

    @Test func `a signature that lost its end is found, for the algorithm whose length is known`() throws {
        let cut = try inspect([:], signatureBytes: 181)
        #expect(broken(cut) == [.signature])
        #expect(cut.contains { $0.evidence.contains("181 bytes") && $0.advice?.contains("copying") == true })
        let other = try inspect([:], header: #"{"alg":"ES256","kid":"k"}"#, signatureBytes: 64)
        #expect(broken(other) == [.algorithm])
    }

    @Test func `an issuer that is no address is broken, one that tells no project is not judged`() throws {
        for name in ["foo", ""] {
            #expect(try broken(inspect(["iss": "\"\(name)\"", "sub": "\"\(name)\""])) == [.issuer])
        }
        let own = ["iss": #""me@mail.example""#, "sub": #""me@mail.example""#]
        #expect(try broken(inspect(own, provider: "p")) == [])
        #expect(try inspect(own, provider: "p").contains { $0.rule == .issuer && $0.verdict == .unchecked })
        let account = #""x@p.iam.gserviceaccount.com""#
        let right = try inspect(["iss": account, "sub": account], provider: "p")
        #expect(right.contains { $0.rule == .issuer && $0.verdict == .kept })
        let foreign = try inspect(["iss": account, "sub": account], provider: "q")
        #expect(foreign.contains { $0.rule == .issuer && $0.verdict == .doubtful })
        #expect(broken(foreign) == [])
    }

    @Test func `an empty ID names nobody`() throws {
        #expect(try broken(inspect([:], authorization: #"{"tripid":""}"#)) == [.identity])
    }

    @Test func `what has the wrong type in header or aud is not called missing`() throws {
        let kid = try inspect([:], header: #"{"alg":"RS256","kid":5}"#)
        #expect(kid.contains { $0.rule == .keyID && $0.evidence == "kid is there, but it is not text." })
        let alg = try inspect([:], header: #"{"alg":256,"kid":"k"}"#)
        #expect(alg.contains { $0.rule == .algorithm && $0.evidence == "alg is there, but it is not text." })
        #expect(try inspect(["aud": "5"]).contains { $0.evidence == "aud is there, but it is not text." })
    }

    @Test func `nbf a little ahead shows that the signer's clock is`() throws {
        let findings = try inspect(["nbf": "1767225900"])
        #expect(broken(findings) == [])
        #expect(findings.contains { $0.rule == .issuedAt && $0.evidence.contains("clock is 5 min ahead") })
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
