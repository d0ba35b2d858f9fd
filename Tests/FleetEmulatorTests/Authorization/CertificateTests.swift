import CryptoExtras
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Runtime
import Testing
import TokenSigning
import TripModel
import TripTestSupport
import TripText

@Suite("Emulator certificates", .ends(within: .quickTest))
struct CertificateTests {
    @Test func `the certificate of an account's key verifies its tokens`() async throws {
        try await EmulatorScene.run { scene in
            let certificates = try IssuerCertificates(scene.address.certificatesURL, transport: scene.transport)
            for kind in ["consumer", "driver"] {
                let token = try await scene.token(kind, "x-1")
                let checked = await TokenInspection.inspect(token, .init(), now: scene.clock.now().wall)
                    .checkingSignature(certificates)
                let signature = try #require(checked.findings.first { $0.rule == .signature })
                #expect(signature.verdict == .satisfied, "\(signature.evidence)")
                #expect(signature.evidence.contains("\(kind)-key-1"))
            }
        }
    }

    @Test func `reports a token that was changed after signing as signed by another key`() async throws {
        try await EmulatorScene.run { scene in
            let certificates = try IssuerCertificates(scene.address.certificatesURL, transport: scene.transport)
            let parts = try await scene.token("consumer", "x-1").split(separator: ".")
            let other = try await scene.token("consumer", "x-2").split(separator: ".")
            let token = "\(parts[0]).\(other[1]).\(parts[2])"
            let checked = await TokenInspection.inspect(token, .init(), now: scene.clock.now().wall)
                .checkingSignature(certificates)
            let signature = try #require(checked.findings.first { $0.rule == .signature })
            #expect(signature.verdict == .broken)
            #expect(signature.evidence.hasPrefix("It is not signed with key “consumer-key-1”"))
        }
    }

    @Test func `serves only the keys of the requested account`() async throws {
        try await EmulatorScene.run { scene in
            func ask(_ email: String) async throws -> HTTPTransportResponse {
                let url = scene.address.certificatesURL.replacing("{email}", with: email)
                return try await scene.transport.send(HTTPTransportRequest(url: url, timeout: .testTimeout))
            }
            let answer = try await ask("driver%40p.iam.gserviceaccount.com")
            #expect(answer.status == 200)
            let keys = try JSONDecoder().decode([String: String].self, from: Data(answer.body))
            #expect(Array(keys.keys) == ["driver-key-1"])
            #expect(keys["driver-key-1"]?.hasPrefix("-----BEGIN CERTIFICATE-----") == true)
            #expect(try await ask("unknown@p.iam.gserviceaccount.com").status == 404)
            #expect(try await ask("").status == 404)
        }
    }

    @Test func `a given key may have the ID of a generated one`() async throws {
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        let account = EmulatorAccount(
            role: .server,
            email: "server@p.test",
            keyID: "consumer-key-1",
            privateKeyPEM: pem
        )
        try await EmulatorScene.run(accounts: [account]) { scene in
            try await scene.populate()
            let token = try await scene.token("consumer", "tr-1")
            #expect(try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token).status == 200)
            let certificates = try IssuerCertificates(scene.address.certificatesURL, transport: scene.transport)
            let checked = await TokenInspection.inspect(token, .init(), now: scene.clock.now().wall)
                .checkingSignature(certificates)
            #expect(checked.findings.first { $0.rule == .signature }?.evidence.contains("consumer-key-2") == true)
        }
    }

    @Test func `serves the certificate of a given key`() async throws {
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        let account = EmulatorAccount(role: .consumer, email: "app@p.test", keyID: "k 1", privateKeyPEM: pem)
        try await EmulatorScene.run(accounts: [account]) { scene in
            let certificates = try IssuerCertificates(scene.address.certificatesURL, transport: scene.transport)
            let token = try await scene.token("consumer", "x-1")
            let checked = await TokenInspection.inspect(token, .init(), now: scene.clock.now().wall)
                .checkingSignature(certificates)
            #expect(
                checked.findings.first { $0.rule == .signature }?.evidence.contains("“k 1” of “app@p.test”") == true
            )
        }
    }
}
