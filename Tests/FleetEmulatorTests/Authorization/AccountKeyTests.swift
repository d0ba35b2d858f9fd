import CryptoExtras
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import JWTKit
import Runtime
import Testing
import TokenSigning
import TripModel
import TripTestSupport
import TripText

/// Whose key signs a token.
@Suite("Keys of accounts", .ends(within: .quickTest))
struct AccountKeyTests {
    private struct Claims: JWTPayload {
        var iss: String
        var sub: String
        var aud = "https://fleetengine.googleapis.com/"
        var iat: Int
        var exp: Int
        var authorization: [String: String]?

        init(_ issuer: String, _ now: Date, _ authorization: [String: String]?) {
            (iss, sub, self.authorization) = (issuer, issuer, authorization)
            (iat, exp) = (Int(now.timeIntervalSince1970) - 30, Int(now.timeIntervalSince1970) + 3300)
        }

        func verify(using algorithm: some JWTAlgorithm) async throws {}

        func signed(with pem: String, id: String) async throws -> String {
            let keys = JWTKeyCollection()
            let kid = JWKIdentifier(string: id)
            await keys.add(rsa: try JWTKit.Insecure.RSA.PrivateKey(pem: pem), digestAlgorithm: .sha256, kid: kid)
            return try await keys.sign(self, kid: kid)
        }
    }

    private static let files = [
        "consumer": "service_account_consumer.json", "driver": "service_account_driver.json",
        "server": "service_account_server.json", "ondemandAdmin": "service_account.json",
    ]

    private static func pem(_ file: JSONValue) -> String { file["private_key"]?.string ?? "" }

    /// Returns the status of GetTrip, or of GetVehicle, and the message of an error.
    private static func status(
        _ scene: CredentialScene,
        _ token: String,
        _ path: String = "trips/unknown"
    ) async throws -> (Int, String?) {
        let url = "http://engine.test/v1/providers/p/\(path)"
        let answer = try await scene.send("GET", url, headers: [("authorization", "Bearer \(token)")])
        return (answer.status, answer.json?["error"]?["message"]?.string)
    }

    @Test func `each account has a key of its own`() async throws {
        let scene = try await CredentialScene()
        let keys = try Self.files.values.map { name in
            try _RSA.Signing.PrivateKey(pemRepresentation: Self.pem(try scene.file(name))).publicKey.derRepresentation
        }
        #expect(Set(keys).count == 4)
    }

    @Test func `a token signed with the key of another account is refused as the service refuses it`() async throws {
        let scene = try await CredentialScene()
        let now = scene.clock.now().wall
        for (role, file) in Self.files {
            let own = try scene.file(file)
            let email = try #require(own["client_email"]?.string)
            let claims = Claims(email, now, ["tripid": "*", "vehicleid": "*"])
            let id = try #require(own["private_key_id"]?.string)
            let good = try await claims.signed(with: Self.pem(own), id: id)
            // The trip does not exist, so that the token was accepted.
            #expect(try await Self.status(scene, good).0 == 404, "\(role)")
            for (other, file) in Self.files where other != role {
                let foreign = try scene.file(file)
                for kid in [id, try #require(foreign["private_key_id"]?.string)] {
                    let token = try await claims.signed(with: Self.pem(foreign), id: kid)
                    let (status, message) = try await Self.status(scene, token)
                    #expect(status == 401, "\(role) signed by \(other) with \(kid)")
                    #expect(message == "Request had invalid authentication credentials.")
                    let assertion = try await scene.assertion(email, signedWith: foreign, id: kid)
                    #expect(assertion.oauth == "400 invalid_grant: Invalid JWT Signature.")
                }
            }
            let fine = try await scene.assertion(email, signedWith: own, id: id)
            #expect(fine.status == 200, "\(fine.oauth)")
        }
    }

    @Test func `the certificates of an account show that another account's key has signed`() async throws {
        let scene = try await CredentialScene()
        let url = "http://google.test/service_accounts/v1/metadata/x509/{email}"
        let certificates = try IssuerCertificates(url, transport: scene.router.transport, allowsPlainHTTP: true)
        let own = try scene.file("service_account_consumer.json")
        let server = try scene.file("service_account_server.json")
        let email = try #require(own["client_email"]?.string)
        let claims = Claims(email, scene.clock.now().wall, ["tripid": "t"])
        for (signer, isSatisfied) in [(own, true), (server, false)] {
            let token = try await claims.signed(with: Self.pem(signer), id: "consumer-key-1")
            let checked = await TokenInspection.inspect(token, .init(), now: scene.clock.now().wall)
                .checkingSignature(certificates)
            let signature = try #require(checked.findings.first { $0.rule == .signature })
            #expect(signature.verdict == (isSatisfied ? .satisfied : .broken), "\(signature.evidence)")
        }
    }

    @Test func `two accounts may share a key on purpose, and the issuer distinguishes them`() async throws {
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        let accounts = [(Caller.Role.consumer, "app@p.test"), (.server, "backend@p.test")].map { role, email in
            EmulatorAccount(role: role, email: email, keyID: "shared", privateKeyPEM: pem)
        }
        let scene = try await CredentialScene(accounts: accounts)
        for (email, status) in [("app@p.test", 403), ("backend@p.test", 200)] {
            let claims = Claims(email, scene.clock.now().wall, ["tripid": "*", "vehicleid": "*"])
            let token = try await claims.signed(with: pem, id: "shared")
            // Only the role of a server lists vehicles.
            #expect(try await Self.status(scene, token, "vehicles").0 == status, "\(email)")
        }
        let stranger = Claims("driver@p.iam.gserviceaccount.com", scene.clock.now().wall, ["vehicleid": "v"])
        let token = try await stranger.signed(with: pem, id: "shared")
        #expect(try await Self.status(scene, token, "vehicles/v").0 == 401)
    }

    @Test func `one account may have several roles`() async throws {
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        let email = "app@p.test"
        func scene(_ roles: [Caller.Role]) async throws -> CredentialScene {
            try await CredentialScene(
                accounts: roles.map {
                    EmulatorAccount(role: $0, email: email, keyID: "k", privateKeyPEM: pem)
                }
            )
        }
        func statuses(_ scene: CredentialScene, _ authorization: [String: String]?) async throws -> [Int] {
            let claims = Claims(email, scene.clock.now().wall, authorization)
            let token = try await claims.signed(with: pem, id: "k")
            return try await [
                Self.status(scene, token).0, Self.status(scene, token, "vehicles").0,
                Self.status(scene, token, "tasks/unknown").0,
            ]
        }
        let all = ["tripid": "*", "vehicleid": "*"]
        // What none of the roles permits stays forbidden; what one of them permits is found missing or listed.
        #expect(try await statuses(try await scene([.consumer, .driver]), all) == [404, 403, 403])
        #expect(try await statuses(try await scene([.consumer, .server]), all) == [404, 200, 403])
        // The right to ignore claims is only that of the role that has it.
        let mixed = try await scene([.consumer, .deliveryAdmin])
        #expect(try await statuses(mixed, nil) == [403, 403, 404])
        #expect(try await statuses(mixed, ["tripid": "another"]) == [403, 403, 404])
    }
}

extension CredentialScene {
    /// Requests an access token with an assertion of an account, which the key of a file signs.
    fileprivate func assertion(_ issuer: String, signedWith file: JSONValue, id: String) async throws -> Answer {
        let now = clock.now().wall.timeIntervalSince1970.rounded()
        var claims = TestClaims()
        (claims.iss, claims.aud) = (issuer, "https://oauth2.googleapis.com/token")
        (claims.scope, claims.iat, claims.exp) = (Self.cloudPlatform, now, now + 3600)
        let keys = JWTKeyCollection()
        let key = try JWTKit.Insecure.RSA.PrivateKey(pem: file["private_key"]?.string ?? "")
        let kid = JWKIdentifier(string: id)
        await keys.add(rsa: key, digestAlgorithm: .sha256, kid: kid)
        let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        return try await post("/token", [("grant_type", grant), ("assertion", try await keys.sign(claims, kid: kid))])
    }
}
