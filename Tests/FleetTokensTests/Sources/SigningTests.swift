import Failures
import FleetTokens
import Foundation
import Testing
import TokenSigning
import TripModel
import TripTestSupport

import enum CryptoExtras._RSA

@Suite("Signing with a service account's key", .ends(within: .quickTest))
struct SigningTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600.75)

    /// A key file as the Google Cloud console writes it, and its public key.
    private func keyFile() throws -> (json: [UInt8], publicKey: String) {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let pem = key.pkcs8PEMRepresentation.replacing("\n", with: "\\n")
        let json = #"{"client_email":"a@p.iam.gserviceaccount.com","private_key_id":"k1","private_key":"\#(pem)"}"#
        return (Array(json.utf8), key.publicKey.pemRepresentation)
    }

    @Test func `a signed token is faultless, lives 55 minutes and has an issue time slightly in the past`() async throws
    {
        let file = try keyFile()
        let key = try await ServiceAccountKey(json: file.json)
        let trip = try TripID("trip-A")
        let token = try await key.sign(.trip(trip), at: now).revealed
        let inspection = try await TokenInspection.inspect(
            token,
            .init(context: .trip(trip), providerID: "p"),
            now: now
        )
        .checkingSignature(publicKeyPEM: file.publicKey)
        #expect(inspection.isFaultless)
        #expect(inspection.findings.contains { $0.rule == .signature && $0.verdict == .satisfied })
        let claims = try #require(inspection.claims)
        #expect(claims.issuedAtSeconds == 1_767_225_570)
        #expect(claims.expirySeconds == 1_767_228_900)
        #expect(claims.keyID == "k1")
        #expect(claims.subject == "a@p.iam.gserviceaccount.com")
    }

    @Test func `detects the signature of another key`() async throws {
        let key = try await ServiceAccountKey(json: keyFile().json)
        let token = try await key.sign(.server, at: now).revealed
        let inspection = try await TokenInspection.inspect(token, .init(isForServer: true), now: now)
            .checkingSignature(publicKeyPEM: keyFile().publicKey)
        #expect(inspection.findings.contains { $0.rule == .signature && $0.verdict == .broken })
        #expect(inspection.claims?.tripID == "*")
        #expect(inspection.claims?.vehicleID == "*")
    }

    @Test(arguments: [
        "", "{}", #"{"client_email":"a","private_key_id":"k"}"#,
        #"{"client_email":"a","private_key_id":"k","private_key":"secret nonsense"}"#,
    ])
    func `refuses a broken key file without quoting it`(json: String) async {
        let error = await #expect(throws: Failure.self) { try await ServiceAccountKey(json: Array(json.utf8)) }
        #expect(!"\(String(describing: error))".contains("nonsense"))
    }
}
