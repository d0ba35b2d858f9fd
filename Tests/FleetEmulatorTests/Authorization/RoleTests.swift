import CryptoExtras
import Failures
import FleetEmulator
import FleetWire
import Foundation
import JWTKit
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Every role of an account, with and without claims in its tokens.
@Suite("Account roles", .ends(within: .quickTest))
struct RoleTests {
    private struct Claims: JWTPayload {
        var iss: String
        var sub: String
        var aud = "https://fleetengine.googleapis.com/"
        var iat: Int
        var exp: Int
        var authorization: [String: String]?

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private static let permission = "The caller does not have permission"
    private static let scopes = "JWT does not contain any scopes."

    /// The messages of GetVehicle and ListVehicles with the claims of a server, and without claims; `nil` for an answer.
    private static let expected: [(role: Caller.Role, get: String?, list: String?, claimless: String?)] = [
        (.consumer, nil, permission, scopes), (.driver, nil, permission, scopes), (.server, nil, nil, scopes),
        (.ondemandAdmin, nil, nil, nil), (.deliveryConsumer, permission, permission, scopes),
        (.deliveryUntrustedDriver, permission, permission, scopes),
        (.deliveryTrustedDriver, permission, permission, scopes),
        (.deliveryFleetReader, permission, permission, scopes), (.deliverySuperUser, permission, permission, scopes),
        (.deliveryAdmin, permission, permission, permission), (.noRole, permission, permission, scopes),
    ]

    private static func email(_ role: Caller.Role) -> String { "\(role)@p.iam.gserviceaccount.com" }

    @Test func `each role permits what Fleet Engine's roles permit, and only one needs no claims`() async throws {
        #expect(Set(Self.expected.map(\.role)) == Set(Caller.Role.allCases))
        var pairs: [Caller.Role: _RSA.Signing.PrivateKey] = [:]
        for role in Caller.Role.allCases { pairs[role] = try _RSA.Signing.PrivateKey(keySize: .bits2048) }
        let accounts = pairs.map { role, pair in
            EmulatorAccount(
                role: role,
                email: Self.email(role),
                keyID: "key of \(role)",
                privateKeyPEM: pair.pemRepresentation
            )
        }
        let keys = pairs
        try await EmulatorScene.run(accounts: accounts) { scene in
            try await scene.populate()
            let now = Int(scene.clock.now().wall.timeIntervalSince1970)
            for (role, get, list, claimless) in Self.expected {
                let pair = try #require(keys[role])
                let claims = Claims(iss: Self.email(role), sub: Self.email(role), iat: now - 30, exp: now + 3300)
                let bare = try await Self.sign(claims, pair, role)
                var full = claims
                full.authorization = ["tripid": "*", "vehicleid": "*"]
                let token = try await Self.sign(full, pair, role)
                let vehicle = "/v1/providers/p/vehicles/veh-1"
                #expect(try await Self.refusal(scene, vehicle, token) == get, "\(role)")
                #expect(try await Self.refusal(scene, "/v1/providers/p/vehicles", token) == list, "\(role)")
                #expect(try await Self.refusal(scene, vehicle, bare) == claimless, "\(role)")
                // Permissions come before existence.
                let unknown = try await scene.call("GET", "/v1/providers/p/trips/unknown", token: bare)
                #expect(unknown.status == (claimless == nil ? 404 : 403), "\(role)")
            }
        }
    }

    @Test func `the claims of a super user count`() async throws {
        let pair = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let account = EmulatorAccount(
            role: .server,
            email: Self.email(.server),
            keyID: "key of server",
            privateKeyPEM: pair.pemRepresentation
        )
        try await EmulatorScene.run(accounts: [account]) { scene in
            try await scene.populate()
            let now = Int(scene.clock.now().wall.timeIntervalSince1970)
            let email = Self.email(.server)
            var claims = Claims(iss: email, sub: email, iat: now - 30, exp: now + 3300)
            claims.authorization = ["tripid": "tr-1"]
            let token = try await Self.sign(claims, pair, .server)
            #expect(try await Self.refusal(scene, "/v1/providers/p/trips/tr-1", token) == nil)
            #expect(try await Self.refusal(scene, "/v1/providers/p/trips/tr-2", token)?.contains("tripid") == true)
            #expect(try await Self.refusal(scene, "/v1/providers/p/vehicles", token)?.contains("vehicleid") == true)
        }
    }

    /// Returns the message of a 403, `nil` for a 200.
    private static func refusal(_ scene: EmulatorScene, _ target: String, _ token: String) async throws -> String? {
        let answer = try await scene.call("GET", target, token: token)
        if answer.status == 200 { return nil }
        #expect(answer.status == 403)
        return ServiceAnswer(httpStatus: answer.status, body: answer.body).message
    }

    private static func sign(
        _ claims: Claims,
        _ pair: _RSA.Signing.PrivateKey,
        _ role: Caller.Role
    ) async throws -> String {
        let keys = JWTKeyCollection()
        let kid = JWKIdentifier(string: "key of \(role)")
        let key = try JWTKit.Insecure.RSA.PrivateKey(pem: pair.pemRepresentation)
        await keys.add(rsa: key, digestAlgorithm: .sha256, kid: kid)
        return try await keys.sign(claims, kid: kid)
    }
}
