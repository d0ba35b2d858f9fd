import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TokenSigning
import TripModel
import TripTestSupport
import TripText

import enum CryptoExtras._RSA

@Suite("Token inspection", .ends(within: .quickTest))
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

    @Test func `finds each fault and reports no other`() throws {
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

    @Test func `a token without claims is right for a server with the right role, and wrong for a rider`() throws {
        var token = FakeToken(.trip(try TripID("trip-A")), issuedAt: now - 60)
        token.authorization = nil
        let server = TokenInspection.inspect(token.text, .init(isForServer: true), now: now)
        let finding = try #require(server.findings.first { $0.rule == .authorization })
        #expect(server.isFaultless && finding.verdict == .doubtful)
        #expect(finding.evidence.contains("the account's role decides"))
        #expect(finding.advice?.contains("roles/fleetengine.ondemandAdmin") == true)
        let rider = TokenInspection.inspect(token.text, .init(), now: now)
        let fault = try #require(rider.findings.first { $0.rule == .authorization })
        #expect(!rider.isFaultless && fault.verdict == .broken)
        #expect(fault.advice?.contains("only a server") == true)
    }

    /// A fault, how to create it, the rule that detects it, and words that its evidence and its advice must contain.
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rule: TokenRule
        var evidence: String
        var advice: String
        var make: @Sendable (Date) throws -> String

        /// A fault in an otherwise valid token.
        static func changed(
            _ name: String,
            _ rule: TokenRule,
            _ evidence: String,
            _ advice: String,
            _ change: @escaping @Sendable (inout FakeToken, Date) -> Void
        ) -> Fault {
            Fault(testDescription: name, rule: rule, evidence: evidence, advice: advice) { now in
                var token = FakeToken(.trip(try TripID("trip-A")), issuedAt: now - 60)
                change(&token, now)
                return token.text
            }
        }

        /// A fault in the encoding of a token.
        static func text(
            _ name: String,
            _ rule: TokenRule,
            _ evidence: String,
            _ advice: String,
            _ change: @escaping @Sendable ([String]) -> String
        ) -> Fault {
            Fault(testDescription: name, rule: rule, evidence: evidence, advice: advice) { now in
                let token = FakeToken(.trip(try TripID("trip-A")), issuedAt: now - 60).text
                return change(token.split(separator: ".").map(String.init))
            }
        }
    }

    static let faults: [Fault] = [
        .text("an OAuth access token", .shape, "OAuth access token", "service account's key") { _ in "ya29.a0Af" },
        .text("padded", .shape, "padded", "without padding") { $0.joined(separator: ".") + "==" },
        .text("plain base64", .shape, "+ or /", "base64url") { "\($0[0]).\($0[1])+/x.\($0[2])" },
        .text("no signature", .signature, "no signature", "Sign") { "\($0[0]).\($0[1])." },
        .text("no kid", .keyID, "no kid", "private_key_id") {
            "\(Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))).\($0[1]).\($0[2])"
        },
        .changed("wrong alg", .algorithm, "HS256", "RS256") { token, _ in token.algorithm = "HS256" },
        .changed("wrong aud", .audience, "example.com", "Set aud to https://fleetengine") { token, _ in
            token.audience = "https://example.com/"
        },
        .changed("slash of aud missing", .audience, "slash", "slash included") { token, _ in
            token.audience = "https://fleetengine.googleapis.com"
        },
        .changed("exp in ms", .expiry, "milliseconds", "divide by 1000") { token, now in
            token.expiresAt = Date(timeIntervalSince1970: now.timeIntervalSince1970 * 1000)
        },
        .changed("lifetime over an hour", .lifetime, "more than an hour", "55 minutes") { token, now in
            token.issuedAt = now - 3600
            token.expiresAt = now + 3000
        },
        .changed("ends in more than an hour", .expiry, "one hour at most", "55 minutes") { token, now in
            token.expiresAt = now + 3700
        },
        .changed("expired", .expiry, "expired 5 s ago", "newer token") { token, now in token.expiresAt = now - 5 },
        .changed("not yet valid", .issuedAt, "not yet valid", "clock") { token, now in token.issuedAt = now + 700 },
        .changed("authorization missing", .authorization, "no authorization", "tripid") { token, _ in
            token.authorization = nil
        },
        .changed("another trip", .identity, "trip-B", "token source") { token, _ in
            token.authorization = ["tripid": "trip-B"]
        },
        .changed("over-broad", .scope, "every trip", "one trip") { token, _ in token.authorization = ["tripid": "*"] },
        .changed("a vehicle's token", .identity, "a vehicle's token", "authorization.tripid") { token, _ in
            token.authorization = ["vehicleid": "taxi-1"]
        },
        .changed("taskids as a string", .taskIDs, "not an array", "array") { token, _ in
            token.authorization = ["tripid": "trip-A", "taskids": "*"]
        },
    ]

    @Test(arguments: faults)
    func `each fault has its rule, its evidence and its advice`(fault: Fault) throws {
        let inspection = TokenInspection.inspect(
            try fault.make(now),
            .init(context: .trip(try TripID("trip-A"))),
            now: now
        )
        let broken = inspection.findings.filter { $0.verdict == .broken }
        let finding = try #require(broken.first { $0.rule == fault.rule }, "broken: \(broken)")
        #expect(finding.evidence.contains(fault.evidence), "\(finding.evidence)")
        #expect(finding.advice?.contains(fault.advice) == true, "\(finding.advice ?? "")")
    }

    @Test func `reports a clock difference although the service tolerates it`() throws {
        let token = FakeToken(.trip(try TripID("t")), issuedAt: now + 300).text
        let inspection = TokenInspection.inspect(token, .init(), now: now)
        #expect(inspection.isFaultless)
        let finding = try #require(inspection.findings.first { $0.rule == .issuedAt })
        #expect(finding.evidence.contains("clock is 5 min ahead") && finding.advice?.contains("clock") == true)
    }

    @Test(arguments: [
        ("nonsense", "this has 1."), ("a.b", "this has 2."), ("eyJ+.e30.x", "plain base64"),
        ("e30.*.c2ln", "not base64url"), ("e30.bm8.c2ln", "not a JSON object"),
    ])
    func `explains why text is not a JWT`(text: String, words: String) {
        let inspection = TokenInspection.inspect(text, .init(), now: now)
        #expect(inspection.claims == nil)
        #expect(!inspection.isFaultless)
        #expect(inspection.findings.first?.evidence.contains(words) == true)
    }

    @Test func `reports a misspelled claim and still reads its value`() async throws {
        var token = FakeToken(.trip(try TripID("trip-B")), issuedAt: now - 7200)
        token.audience = "https://fleetengine.googleapis.com"
        var parts = token.text.split(separator: ".").map(String.init)
        parts[1] += "=="
        parts[2] = parts[2].replacing("-", with: "+").replacing("_", with: "/")
        let padded = parts.joined(separator: ".")
        let inspection = TokenInspection.inspect(padded, .init(context: .trip(try TripID("trip-A"))), now: now)
        #expect(inspection.findings.first?.evidence.contains("padded") == true)
        let broken = Set(inspection.findings.filter { $0.verdict == .broken }.map(\.rule))
        #expect(broken.isSuperset(of: [.shape, .audience, .expiry, .identity]))
        #expect(inspection.header != nil && inspection.payload?["aud"] != nil)
        // No key makes the signature valid, so that none is requested.
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pemRepresentation
        let checked = try await inspection.checkingSignature(publicKeyPEM: key)
        #expect(
            checked.findings.filter { $0.rule != .signature } == inspection.findings.filter { $0.rule != .signature }
        )
        let signature = try #require(checked.findings.first { $0.rule == .signature })
        #expect(signature.verdict == .unchecked && signature.evidence.contains("malformed"))
    }

    @Test func `reports a missing or truncated signature as such even with a public key`() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pemRepresentation
        let whole = FakeToken(.trip(try TripID("t")), issuedAt: now).text
        let unsigned = whole.split(separator: ".")[..<2].joined(separator: ".") + "."
        for (text, words) in [(unsigned, "There is no signature."), (String(whole.dropLast(20)), "bytes; a service")] {
            let inspection = try await TokenInspection.inspect(text, .init(), now: now)
                .checkingSignature(publicKeyPEM: key)
            let finding = try #require(inspection.findings.first { $0.rule == .signature })
            #expect(finding.verdict == .broken && finding.evidence.contains(words), "\(finding.evidence)")
        }
    }

    @Test func `reports an unsigned token, a missing kid and characters added by copying`() throws {
        let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let findings = TokenInspection.inspect("\(header).e30.", .init(), now: now).findings
        let broken = findings.filter { $0.verdict == .broken }.map(\.rule)
        #expect(Set(broken).isSuperset(of: [.algorithm, .keyID, .signature, .issuer, .expiry]))
        let token = FakeToken(.trip(try TripID("t")), issuedAt: now).text
        #expect(TokenInspection.inspect("Bearer \(token)\n", .init(), now: now).isFaultless)
    }

    @Test func `every broken finding has advice`() throws {
        for text in ["x", "e30.e30.", FakeToken(.trip(try TripID("t")), issuedAt: now - 9000).text] {
            for finding in TokenInspection.inspect(text, .init(), now: now).findings where finding.verdict == .broken {
                #expect(finding.advice?.isEmpty == false)
            }
        }
    }
}
