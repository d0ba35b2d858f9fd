import Crypto
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

/// Every call with every kind of token.
///
/// An invalid token gets 401. A consumer or driver token gives access to its own trip or vehicle only, and an operator's
/// token to all of them, as Fleet Engine's documentation of JSON Web Tokens and roles says.
@Suite("Permission matrix", .ends(within: .quickTest))
struct PermissionMatrixTests {
    /// A call about the trip `tr-1` and the vehicle `veh-1`, and its expected statuses.
    private struct Call {
        var name: String
        var method: String
        var target: String
        var body = ""
        /// The expected statuses for the trip's rider, another rider, the trip's driver, another driver, and an operator.
        var statuses: [Int]
    }

    private static let point = #"{"point":{"latitude":51.05,"longitude":3.72}}"#
    private static let search =
        #"{"pickupPoint":\#(point),"pickupRadiusMeters":1000,"count":5,"minimumCapacity":1,"tripTypes":["EXCLUSIVE"],"vehicleTypes":[{"category":"AUTO"}],"orderBy":"COST"}"#
    private static let vehicle =
        #"{"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"}}"#

    /// Calls that delete come last.
    private static let calls = [
        Call(
            name: "CreateTrip",
            method: "POST",
            target: "trips?tripId=tr-9",
            body: #"{"tripType":"EXCLUSIVE","pickupPoint":\#(point)}"#,
            statuses: [403, 403, 403, 403, 200]
        ),
        Call(name: "GetTrip", method: "GET", target: "trips/tr-1", statuses: [200, 403, 403, 403, 200]),
        Call(name: "GetTrip, unknown", method: "GET", target: "trips/tr-0", statuses: [403, 403, 403, 403, 404]),
        Call(
            name: "UpdateTrip",
            method: "PUT",
            target: "trips/tr-1?updateMask=tripStatus",
            body: #"{"tripStatus":"NEW"}"#,
            statuses: [403, 403, 403, 403, 200]
        ),
        Call(
            name: "SearchTrips",
            method: "POST",
            target: "trips:search",
            body: #"{"vehicleId":"veh-1"}"#,
            statuses: [403, 403, 200, 403, 200]
        ),
        Call(
            name: "ReportBillableTrip",
            method: "POST",
            target: "billableTrips/tr-1:report",
            body: #"{"countryCode":"BE"}"#,
            statuses: [403, 403, 403, 403, 200]
        ),
        Call(
            name: "CreateVehicle",
            method: "POST",
            target: "vehicles?vehicleId=veh-9",
            body: vehicle,
            statuses: [403, 403, 403, 403, 200]
        ),
        Call(name: "GetVehicle", method: "GET", target: "vehicles/veh-1", statuses: [403, 403, 200, 403, 200]),
        Call(
            name: "UpdateVehicle, as a driver reports",
            method: "PUT",
            target: "vehicles/veh-1?updateMask=vehicleState",
            body: #"{"vehicleState":"ONLINE"}"#,
            statuses: [403, 403, 200, 403, 200]
        ),
        Call(
            name: "UpdateVehicle, what is the operator's",
            method: "PUT",
            target: "vehicles/veh-1?updateMask=maximumCapacity",
            body: #"{"maximumCapacity":5}"#,
            statuses: [403, 403, 403, 403, 200]
        ),
        Call(
            name: "UpdateVehicleAttributes",
            method: "POST",
            target: "vehicles/veh-1:updateAttributes",
            body: #"{"attributes":[{"key":"a","value":"b"}]}"#,
            statuses: [403, 403, 403, 403, 200]
        ),
        Call(name: "ListVehicles", method: "GET", target: "vehicles", statuses: [403, 403, 403, 403, 200]),
        Call(
            name: "SearchVehicles",
            method: "POST",
            target: "vehicles:search",
            body: search,
            statuses: [200, 200, 403, 403, 200]
        ),
        Call(name: "DeleteTrip", method: "DELETE", target: "trips/tr-1", statuses: [403, 403, 403, 403, 200]),
        Call(name: "DeleteVehicle", method: "DELETE", target: "vehicles/veh-1", statuses: [403, 403, 403, 403, 200]),
    ]

    private struct Claims: JWTPayload {
        var iss = "consumer@p.iam.gserviceaccount.com"
        var sub = "consumer@p.iam.gserviceaccount.com"
        var aud = "https://fleetengine.googleapis.com/"
        var iat: Int
        var exp: Int
        var authorization: [String: String]? = ["tripid": "tr-1"]

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    @Test func `every call answers every kind of token with the expected status`() async throws {
        let pair = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let account = EmulatorAccount(
            role: .consumer,
            email: "consumer@p.iam.gserviceaccount.com",
            keyID: "given-key",
            privateKeyPEM: pair.pemRepresentation
        )
        try await EmulatorScene.run(accounts: [account]) { scene in
            try await scene.populate()
            let now = Int(scene.clock.now().wall.timeIntervalSince1970)
            let invalid = try await Self.invalidTokens(pair, now: now)
            let valid = [
                try await scene.token("consumer", "tr-1"), try await scene.token("consumer", "tr-2"),
                try await scene.token("driver", "veh-1"), try await scene.token("driver", "veh-2"),
                try await scene.address.operatorToken(),
            ]
            for call in Self.calls {
                for (name, token) in invalid {
                    let response = try await scene.call(
                        call.method,
                        "/v1/providers/p/\(call.target)",
                        call.body,
                        token: token
                    )
                    #expect(response.status == 401, "\(call.name), \(name)")
                }
                for (token, status) in zip(valid, call.statuses) {
                    let response = try await scene.call(
                        call.method,
                        "/v1/providers/p/\(call.target)",
                        call.body,
                        token: token
                    )
                    #expect(
                        response.status == status,
                        "\(call.name), \(String(decoding: response.body, as: UTF8.self))"
                    )
                }
            }
        }
    }

    @Test func `accepts tokens of a given key and names a missing permission`() async throws {
        let pair = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let account = EmulatorAccount(
            role: .consumer,
            email: "consumer@p.iam.gserviceaccount.com",
            keyID: "given-key",
            privateKeyPEM: pair.pemRepresentation
        )
        try await EmulatorScene.run(accounts: [account]) { scene in
            try await scene.populate()
            let now = Int(scene.clock.now().wall.timeIntervalSince1970)
            let token = try await Self.sign(Claims(iat: now - 30, exp: now + 3300), pair)
            let answer = try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token)
            #expect(answer.status == 200)
            let refused = try await scene.call("GET", "/v1/providers/p/vehicles", token: token)
            let error = ServiceAnswer(httpStatus: refused.status, body: refused.body)
            #expect(error.missingPermission == "fleetengine.vehicles.list")
        }
    }

    private static func sign(_ claims: Claims, _ pair: _RSA.Signing.PrivateKey) async throws -> String {
        let keys = JWTKeyCollection()
        await keys.add(
            rsa: try JWTKit.Insecure.RSA.PrivateKey(pem: pair.pemRepresentation),
            digestAlgorithm: .sha256,
            kid: "given-key"
        )
        return try await keys.sign(claims, kid: "given-key")
    }

    private static func invalidTokens(
        _ pair: _RSA.Signing.PrivateKey,
        now: Int
    ) async throws -> [(String, String)] {
        let good = Claims(iat: now - 30, exp: now + 3300)
        var audience = good
        audience.aud = "https://fleetengine.googleapis.com"
        var issuer = good
        issuer.iss = "driver@p.iam.gserviceaccount.com"
        let stranger = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let token = try await sign(good, pair)
        let parts = token.split(separator: ".").map(String.init)
        let mac = JWTKeyCollection()
        await mac.add(hmac: .init(from: pair.publicKey.pemRepresentation), digestAlgorithm: .sha256, kid: "given-key")
        return [
            ("expired", try await sign(Claims(iat: now - 3500, exp: now - 1), pair)),
            ("not yet valid", try await sign(Claims(iat: now + 700, exp: now + 3400), pair)),
            ("longer than an hour", try await sign(Claims(iat: now, exp: now + 3700), pair)),
            ("wrong audience", try await sign(audience, pair)),
            ("wrong issuer", try await sign(issuer, pair)), ("unknown key", try await sign(good, stranger)),
            ("alg none", "\(base64(#"{"alg":"none","kid":"given-key","typ":"JWT"}"#)).\(parts[1])."),
            ("HS256 with the public key", try await mac.sign(good, kid: "given-key")),
            ("garbled", String(token.dropLast(8)) + "AAAAAAAA"), ("not a token", "x.y"),
        ]
    }

    private static func base64(_ text: String) -> String {
        Data(text.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
