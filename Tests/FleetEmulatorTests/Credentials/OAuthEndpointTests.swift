import FleetEmulator
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Emulated OAuth", .ends(within: .quickTest))
struct OAuthEndpointTests {
    private static let audience = "https://oauth2.googleapis.com/token"
    private static let times =
        "400 invalid_grant: Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
        + "Check your iat and exp values in the JWT claim."

    // MARK: Refresh tokens

    @Test func `a refresh token gives an access token that the service accepts`() async throws {
        let scene = try await CredentialScene()
        let answer = try await scene.post("/token", try scene.refresh())
        #expect(answer.status == 200)
        #expect(answer.json?["expires_in"]?.number == 3599)
        #expect(answer.json?["token_type"]?.string == "Bearer")
        let token = try #require(answer.json?["access_token"]?.string)
        #expect(token.hasPrefix("ya29."))
        #expect(try await scene.trips(token: token, quotaProject: "p").status == 200)
    }

    @Test func `refuses other clients, secrets, tokens and grants with the words of Google`() async throws {
        let scene = try await CredentialScene()
        func answer(_ name: String, _ value: String?) async throws -> String {
            var form = try scene.refresh().filter { $0.0 != name }
            if let value { form.append((name, value)) }
            return try await scene.post("/token", form).oauth
        }
        #expect(try await answer("client_id", "other") == "401 invalid_client: The OAuth client was not found.")
        #expect(
            try await answer("client_id", nil) == "400 invalid_request: Could not determine client ID from request."
        )
        #expect(try await answer("client_secret", "other") == "401 invalid_client: Unauthorized")
        #expect(try await answer("refresh_token", "1//x") == "400 invalid_grant: Token has been expired or revoked.")
        #expect(
            try await answer("grant_type", "password") == "400 unsupported_grant_type: Invalid grant_type: password"
        )
        #expect(try await answer("scope", "https://www.googleapis.com/auth/drive").hasPrefix("400 invalid_scope"))
        #expect(try await scene.send("GET", CredentialScene.google + "/token").status == 405)
    }

    @Test func `a session policy asks for a new login`() async throws {
        let scene = try await CredentialScene()
        try scene.fail("reauth")
        let answer = try await scene.post("/token", try scene.refresh())
        #expect(answer.oauth == "400 invalid_grant: reauth related error (invalid_rapt)")
        #expect(answer.json?["error_subtype"]?.string == "invalid_rapt")
    }

    @Test func `a person of a workforce pool refreshes with HTTP Basic`() async throws {
        let scene = try await CredentialScene()
        let file = try scene.file("external_account_authorized_user.json")
        func text(_ key: String) -> String { file[key]?.string ?? "" }
        let client = Data("\(text("client_id")):\(text("client_secret"))".utf8).base64EncodedString()
        let form = [("grant_type", "refresh_token"), ("refresh_token", text("refresh_token"))]
        for path in ["/v1/oauthtoken", "/token"] {
            let answer = try await scene.post(path, form, headers: [("authorization", "Basic \(client)")])
            let token = try #require(answer.json?["access_token"]?.string)
            #expect(try await scene.trips(token: token, quotaProject: "p").status == 200)
        }
        let other = Data("\(text("client_id")):other".utf8).base64EncodedString()
        let refused = try await scene.post("/v1/oauthtoken", form, headers: [("authorization", "Basic \(other)")])
        #expect(refused.oauth == "401 invalid_client: Unauthorized")
    }

    // MARK: Assertions

    private static func exchange(
        _ scene: CredentialScene,
        _ file: String = "service_account.json",
        change: (inout TestClaims) -> Void = { _ in }
    ) async throws -> CredentialScene.Answer {
        let key = try scene.file(file)
        let now = scene.clock.now().wall.timeIntervalSince1970.rounded(.down)
        var claims = TestClaims(
            iss: key["client_email"]?.string,
            aud: audience,
            scope: CredentialScene.cloudPlatform,
            iat: now,
            exp: now + 3600
        )
        change(&claims)
        let assertion = try await claims.signed(with: key)
        return try await scene.post(
            "/token",
            [("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion)]
        )
    }

    @Test func `a signed assertion gives an access token of the account`() async throws {
        let scene = try await CredentialScene()
        let token = try await Self.exchange(scene).json?["access_token"]?.string ?? ""
        #expect(try await scene.trips(token: token).status == 200)
        // The URL of this endpoint is an audience, too.
        #expect(try await Self.exchange(scene) { $0.aud = "http://google.test/token" }.status == 200)
        // An account without the admin role needs claims, which an access token does not have.
        let server = try await Self.exchange(scene, "service_account_server.json").json?["access_token"]?.string ?? ""
        let refused = try await scene.trips(token: server)
        #expect(refused.status == 403)
        #expect(refused.json?["error"]?["message"]?.string == "JWT does not contain any scopes.")
    }

    @Test func `refuses assertions with the words of Google`() async throws {
        let scene = try await CredentialScene()
        let signature = "400 invalid_grant: Invalid JWT Signature."
        let server = "server@p.iam.gserviceaccount.com"
        #expect(try await Self.exchange(scene) { $0.iss = server }.oauth == signature)
        #expect(
            try await Self.exchange(scene) { $0.iss = "x@p.iam.gserviceaccount.com" }.oauth
                == "400 invalid_grant: Invalid grant: account not found"
        )
        #expect(try await Self.exchange(scene) { $0.aud = "https://example.com/" }.oauth.contains("audience check"))
        #expect(
            try await Self.exchange(scene) {
                $0.iat? += 7200
                $0.exp? += 7200
            }.oauth == Self.times
        )
        #expect(
            try await Self.exchange(scene) {
                $0.iat? -= 7200
                $0.exp? -= 7200
            }.oauth == Self.times
        )
        #expect(try await Self.exchange(scene) { $0.exp? += 60 }.oauth == Self.times)
        #expect(try await Self.exchange(scene) { $0.exp = nil }.oauth == Self.times)
        #expect(
            try await Self.exchange(scene) { $0.scope = nil }.oauth
                == "400 invalid_scope: Empty or missing scope not allowed."
        )
        #expect(
            try await Self.exchange(scene) { $0.scope = "cloud-platform" }.oauth
                == "400 invalid_scope: Invalid OAuth scope or ID token audience provided."
        )
        #expect(
            try await Self.exchange(scene) { $0.sub = "someone@example.com" }.oauth.hasPrefix("401 unauthorized_client")
        )
    }

    @Test func `a deleted key, a disabled account and another clock are distinguished`() async throws {
        let scene = try await CredentialScene()
        for (kind, expected) in [
            ("key-deleted", "400 invalid_grant: Invalid JWT Signature."),
            ("account-disabled", "400 invalid_grant: Robot is disabled."),
        ] {
            try scene.fail(kind)
            #expect(try await Self.exchange(scene).oauth == expected)
            scene.faults.clear()
        }
        let shift = try Fault(.credentials, "clock", ["seconds": .number(7200)])
        scene.faults.add(shift, at: scene.clock.now().wall)
        #expect(try await Self.exchange(scene).oauth == Self.times)
    }

    @Test func `a deleted key has no certificate`() async throws {
        let scene = try await CredentialScene()
        let url = CredentialScene.google + "/service_accounts/v1/metadata/x509/ondemandAdmin@p.iam.gserviceaccount.com"
        #expect(try await scene.send("GET", url).json?["ondemandAdmin-key-1"] != nil)
        try scene.fail("key-deleted")
        #expect(try await scene.send("GET", url).text == "{}")
    }
}
