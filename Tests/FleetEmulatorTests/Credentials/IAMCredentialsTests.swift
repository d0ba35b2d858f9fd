import FleetEmulator
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

import enum CryptoExtras._RSA

@Suite("Emulated IAM", .ends(within: .quickTest))
struct IAMCredentialsTests {
    private static let server = "server@p.iam.gserviceaccount.com"
    private static let admin = "ondemandAdmin@p.iam.gserviceaccount.com"

    private static func payload(_ claims: String) -> String {
        String(decoding: JSONBytes.encode(["payload": claims]), as: UTF8.self)
    }

    private static func claims(_ scene: CredentialScene, _ email: String, exp: Double = 3300) -> String {
        let now = scene.clock.now().wall.timeIntervalSince1970.rounded(.down)
        return #"{"iss":"\#(email)","sub":"\#(email)","aud":"https://fleetengine.googleapis.com/","iat":\#(Int(now)),"#
            + #""exp":\#(Int(now + exp)),"authorization":{"tripid":"*","vehicleid":"*"}}"#
    }

    @Test func `signJwt signs the claims as they are, and the service accepts the token`() async throws {
        let scene = try await CredentialScene()
        let claims = Self.claims(scene, Self.server)
        let token = try await scene.userToken()
        // By the numeric ID, too.
        for account in [Self.server, try scene.file("service_account_server.json")["client_id"]?.string ?? ""] {
            let answer = try await scene.iam(account, "signJwt", Self.payload(claims), token: token)
            #expect(answer.json?["keyId"]?.string == "server-key-1")
            let jwt = try #require(answer.json?["signedJwt"]?.string)
            let parts = jwt.split(separator: ".")
            #expect(Base64URL.decode(Array(parts[1].utf8)) == Array(claims.utf8))
            #expect(try TokenClaims(token: jwt).keyID == "server-key-1")
            #expect(try await scene.trips(token: jwt).status == 200)
        }
    }

    @Test func `a token made of signBlob has no key ID and is accepted`() async throws {
        let scene = try await CredentialScene()
        let input =
            Base64URL.encode(Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8)) + "."
            + Base64URL.encode(Array(Self.claims(scene, Self.server).utf8))
        let body = Self.payload(Data(input.utf8).base64EncodedString())
        let answer = try await scene.iam(Self.server, "signBlob", body, token: try await scene.userToken())
        let signature = try #require(answer.json?["signedBlob"]?.string.flatMap { Data(base64Encoded: $0) })
        let token = input + "." + Base64URL.encode(Array(signature))
        #expect(try await scene.trips(token: token).status == 200)
    }

    @Test func `generateAccessToken gives a token of the account with an expiry in whole seconds`() async throws {
        let scene = try await CredentialScene()
        let body = #"{"scope":["\#(CredentialScene.cloudPlatform)"],"lifetime":"600s"}"#
        let answer = try await scene.iam(Self.admin, "generateAccessToken", body, token: try await scene.userToken())
        let expiry = try #require(answer.json?["expireTime"]?.string)
        #expect(expiry.hasSuffix("Z") && !expiry.contains("."))
        let token = try #require(answer.json?["accessToken"]?.string)
        #expect(try await scene.trips(token: token).status == 200)
        scene.clock.advance(by: .seconds(601))
        #expect(try await scene.trips(token: token).reason == "401 ACCESS_TOKEN_EXPIRED fleetengine.googleapis.com")
    }

    @Test func `limits are those of Google`() async throws {
        let scene = try await CredentialScene()
        let token = try await scene.userToken()
        func message(_ method: String, _ body: String) async throws -> String {
            let answer = try await scene.iam(Self.server, method, body, token: token)
            #expect(answer.json?["error"]?["status"]?.string == "INVALID_ARGUMENT", "\(body)")
            return answer.json?["error"]?["message"]?.string ?? ""
        }
        #expect(try await message("signJwt", Self.payload(Self.claims(scene, "x", exp: -1))).contains("in the past"))
        #expect(try await message("signJwt", Self.payload(Self.claims(scene, "x", exp: 43_300))).contains("12 hours"))
        #expect(try await message("signJwt", Self.payload(#"{"exp":1.5}"#)).contains("integer"))
        #expect(try await message("signJwt", Self.payload("[]")).contains("JSON object"))
        #expect(try await message("signJwt", #"{"payload":{"iss":"x"}}"#).contains("payload"))
        #expect(try await message("signJwt", "{}").contains("required"))
        #expect(try await message("signJwt", #"{"payload":"{}","x":1}"#).contains(#"Unknown name "x""#))
        #expect(try await message("signJwt", "x").contains("Invalid JSON"))
        #expect(try await message("signBlob", Self.payload("§")).contains("Base64"))
        #expect(try await message("generateAccessToken", #"{"scope":[]}"#) == "Request contains an invalid argument.")
        let scope = CredentialScene.cloudPlatform
        for lifetime in ["3601s", "0s", "-1s", "1h"] {
            let body = #"{"scope":["\#(scope)"],"lifetime":"\#(lifetime)"}"#
            #expect(try await message("generateAccessToken", body).contains("lifetime"))
        }
    }

    @Test func `the project in the path must be the wildcard`() async throws {
        let scene = try await CredentialScene()
        let answer = try await scene.send(
            "POST",
            "\(CredentialScene.google)/v1/projects/p/serviceAccounts/\(Self.server):signJwt",
            headers: [("authorization", "Bearer \(try await scene.userToken())")],
            body: Self.payload("{}")
        )
        #expect(answer.status == 400)
    }

    @Test func `only holders of the grant may use an account, directly and through delegates`() async throws {
        let scene = try await CredentialScene()
        let user = try await scene.userToken()
        let body = Self.payload(Self.claims(scene, Self.server))
        let denied = "403 IAM_PERMISSION_DENIED iam.serviceAccounts.signJwt"
        // An account does not have the grant on itself.
        for role in ["server", "consumer", "driver"] {
            let token = try await scene.accountToken(role)
            #expect(try await scene.iam(Self.server, "signJwt", body, token: token).reason == denied)
        }
        let admin = try await scene.accountToken("ondemandAdmin")
        #expect(try await scene.iam(Self.server, "signJwt", body, token: admin).status == 200)
        // An unknown account is denied, not missing.
        #expect(try await scene.iam("x@y.z", "signJwt", body, token: user).reason == denied)
        func delegated(_ names: [String], _ token: String) async throws -> String {
            let delegates = names.map { "\"\($0)\"" }.joined(separator: ",")
            let body = #"{"payload":"{}","delegates":[\#(delegates)]}"#
            return try await scene.iam(Self.server, "signJwt", body, token: token).reason
        }
        #expect(try await delegated(["projects/-/serviceAccounts/\(Self.admin)"], user) == "200")
        #expect(try await delegated([Self.admin], user) == "200")
        // Google's library for Python sends null.
        let null = #"{"payload":"{}","delegates":null}"#
        #expect(try await scene.iam(Self.server, "signJwt", null, token: user).status == 200)
        #expect(try await delegated(["projects/-/serviceAccounts/\(Self.server)"], user) == denied)
        let link = "403 IAM_PERMISSION_DENIED iam.serviceAccounts.implicitDelegation"
        #expect(try await delegated(["projects/-/serviceAccounts/x@y.z"], user) == link)
        #expect(try await delegated([Self.server, Self.admin], user) == link)
    }

    @Test func `refuses callers without a token, with an old one and with other scopes`() async throws {
        let scene = try await CredentialScene()
        let body = Self.payload("{}")
        func reason(_ token: String?) async throws -> String {
            try await scene.iam(Self.server, "signJwt", body, token: token).reason
        }
        #expect(try await reason(nil) == "401 CREDENTIALS_MISSING iamcredentials.googleapis.com")
        #expect(try await reason("ya29.unknown") == "401")
        #expect(try await reason("x") == "401")
        #expect(
            try await reason(scene.userToken(scope: "openid"))
                == "403 ACCESS_TOKEN_SCOPE_INSUFFICIENT iamcredentials.googleapis.com"
        )
        #expect(try await reason(scene.userToken(scope: "https://www.googleapis.com/auth/iam")) == "200")
        let old = try await scene.userToken()
        scene.clock.advance(by: .seconds(3600))
        #expect(try await reason(old) == "401 ACCESS_TOKEN_EXPIRED iamcredentials.googleapis.com")
    }

    @Test func `accepts JWTs for this API that an account has signed itself`() async throws {
        let scene = try await CredentialScene()
        let file = try scene.file("service_account.json")
        let now = scene.clock.now().wall.timeIntervalSince1970.rounded(.down)
        var claims = TestClaims(iss: Self.admin, sub: Self.admin, iat: now, exp: now + 3600)
        claims.aud = "https://iamcredentials.googleapis.com/"
        func status(_ claims: TestClaims) async throws -> Int {
            let token = try await claims.signed(with: file)
            return try await scene.iam(Self.server, "signJwt", Self.payload("{}"), token: token).status
        }
        #expect(try await status(claims) == 200)
        claims.aud = "https://fleetengine.googleapis.com/"
        #expect(try await status(claims) == 401)
        (claims.aud, claims.scope) = (nil, CredentialScene.cloudPlatform)
        #expect(try await status(claims) == 200)
        claims.scope = "openid"
        #expect(try await status(claims) == 403)
    }

    @Test func `faults give the reasons of Google`() async throws {
        let scene = try await CredentialScene()
        let token = try await scene.userToken()
        try scene.fail("iam-denied")
        #expect(
            try await scene.iam(Self.server, "signBlob", Self.payload("e30="), token: token).reason
                == "403 IAM_PERMISSION_DENIED iam.serviceAccounts.signBlob"
        )
        scene.faults.clear()
        try scene.fail("iam-disabled")
        let answer = try await scene.iam(Self.server, "signJwt", Self.payload("{}"), token: token)
        #expect(answer.reason == "403 SERVICE_DISABLED projects/123456789012")
        #expect(answer.text.contains("google.rpc.Help"))
        let message = answer.json?["error"]?["message"]?.string ?? ""
        #expect(
            message.hasPrefix("IAM Service Account Credentials API has not been used in project 123456789012 before")
        )
    }

    @Test func `signs no texts with a key that the user has given`() async throws {
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        let account = EmulatorAccount(role: .server, email: Self.server, keyID: "real", privateKeyPEM: pem)
        let scene = try await CredentialScene(accounts: [account])
        let token = try await scene.userToken()
        for (method, body) in [("signJwt", Self.payload("{}")), ("signBlob", Self.payload("e30="))] {
            let answer = try await scene.iam(Self.server, method, body, token: token)
            #expect(answer.json?["error"]?["status"]?.string == "FAILED_PRECONDITION")
        }
        let names = scene.router.credentials(at: "google.test").files(in: "/folder").map(\.name)
        #expect(names.contains("service_account.json") && !names.contains("service_account_server.json"))
    }
}
