import Credentials
import CryptoExtras
import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Tokens of each type of credential", .ends(within: .quickTest))
struct CredentialTokenTests {
    private let trip: AuthorizationContext

    init() throws { trip = .trip(try TripID("trip-1")) }

    private func scene(_ file: String, _ answers: [(String, CredentialScene.Answer)]) -> CredentialScene {
        var scene = CredentialScene()
        scene.files[CredentialScene.adc] = file
        scene.answers = answers.map { (request: $0.0, answer: $0.1) }
        return scene
    }

    private static let signed = CredentialScene.Answer.json(#"{"keyId":"k","signedJwt":"header.claims.signature"}"#)
    private static let generated = CredentialScene.Answer.json(
        #"{"accessToken":"ya29.generated","expireTime":"2026-01-01T01:00:00Z"}"#
    )

    // MARK: Servers

    @Test func `a key file signs a server's token without a network and without claims`() async throws {
        let scene = scene(CredentialScene.keyFile(), [])
        let token = try await scene.token().get()
        #expect(scene.sent.requests.isEmpty)
        let claims = try TokenClaims(token: token.revealed)
        #expect(claims.audiences == ["https://fleetengine.googleapis.com/"])
        #expect(claims.issuer == CredentialScene.email)
        #expect(claims.keyID == "k1")
        #expect(!claims.hasAuthorization)
    }

    @Test func `a key with escaped line breaks is accepted`() async throws {
        let pem = CredentialScene.key.pkcs8PEMRepresentation.replacing("\n", with: "\\n")
        _ = try await scene(CredentialScene.keyFile(pem), []).token().get()
    }

    @Test func `a byte order mark does not matter`() async throws {
        _ = try await scene("\u{FEFF}" + CredentialScene.keyFile(), []).token().get()
    }

    @Test func `a person's login gives an access token for as long as the answer says`() async throws {
        let scene = scene(CredentialScene.user, [(CredentialScene.tokenURL, CredentialScene.granted)])
        let token = try await scene.token().get()
        #expect(token.revealed == "ya29.granted")
        #expect(token.expiry == .after(.seconds(3599)))
        #expect(token.isAccessToken)
        #expect(
            scene.sent.bodies(to: "https://oauth2.googleapis.com/token")
                == ["grant_type=refresh_token&client_id=c&client_secret=client-secret&refresh_token=refresh-token"]
        )
    }

    @Test func `an access token without an expiry is used for at most an hour`() async throws {
        let answer = CredentialScene.Answer.json(#"{"access_token":"ya29.endless"}"#)
        let token = try await scene(CredentialScene.user, [(CredentialScene.tokenURL, answer)]).token().get()
        #expect(token.expiry == .after(.seconds(3600)))
    }

    @Test func `an answer without an access token is reported with its host`() async throws {
        let answer = CredentialScene.Answer.json(#"{"id_token":"x"}"#)
        let result = await scene(CredentialScene.user, [(CredentialScene.tokenURL, answer)]).token()
        #expect(throws: Failure(.noAccessToken).with(.host, "oauth2.googleapis.com")) {
            try result.get()
        }
    }

    @Test func `impersonation asks IAM with the token of its source`() async throws {
        let scene = scene(
            CredentialScene.impersonated,
            [
                (CredentialScene.tokenURL, CredentialScene.granted),
                ("\(CredentialScene.iam)backend%40p.iam.gserviceaccount.com:generateAccessToken", Self.generated),
            ]
        )
        let token = try await scene.token().get()
        #expect(token.revealed == "ya29.generated")
        let request = try #require(scene.sent.requests.last)
        #expect(request.headers.contains { $0 == ("Authorization", "Bearer ya29.granted") })
        #expect(request.headers.contains { $0 == ("x-goog-user-project", "q") })
        let body = try #require(JSONValue(request.body))
        #expect(body["lifetime"]?.string == "3600s")
        #expect(body["delegates"] == .array([.string("projects/-/serviceAccounts/middle@p")]))
        #expect(body["scope"] == .array([.string("https://www.googleapis.com/auth/cloud-platform")]))
    }

    @Test(arguments: [
        #"{"file":"/var/run/token"}"#,
        #"{"url":"http://169.254.169.254/token","headers":{"Metadata":"True"},"format":{"type":"json","subject_token_field_name":"access_token"}}"#,
        #"{"executable":{"command":"/bin/token --now"}}"#,
    ])
    func `an identity of another provider is exchanged`(source: String) async throws {
        let subject = CredentialScene.subject(expiringIn: 600)
        var scene = scene(
            CredentialScene.external(source),
            [
                ("GET http://169.254.169.254/token", .json(#"{"access_token":"\#(subject)"}"#)),
                (CredentialScene.sts, CredentialScene.granted),
            ]
        )
        scene.files["/var/run/token"] = subject + "\n"
        scene.environment["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"] = "1"
        scene.output =
            #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:jwt","id_token":"\#(subject)"}"#
        #expect(try await scene.token().get().revealed == "ya29.granted")
        let body = try #require(scene.sent.bodies(to: "https://sts.googleapis.com/v1/token").first)
        #expect(body.contains("subject_token=\(PercentEncoding.encode(subject))&"))
        #expect(body.contains("audience=\(PercentEncoding.encode(CredentialScene.audience))&"))
        #expect(!body.contains("options"))
    }

    @Test(arguments: [
        #"{"version":1,"success":false,"code":"401","message":"no","expiration_time":4102444800}"#,
        #"{"version":1,"success":true,"id_token":"old","expiration_time":1}"#, "{",
    ])
    func `a stored answer of a command that gives no token is ignored`(retained: String) async throws {
        var scene = scene(
            CredentialScene.external(#"{"executable":{"command":"/bin/token","output_file":"/var/kept"}}"#),
            [(CredentialScene.sts, CredentialScene.granted)]
        )
        scene.files["/var/kept"] = retained
        scene.environment["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"] = "1"
        scene.output =
            #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:jwt","id_token":"fresh"}"#
        #expect(try await scene.token().get().revealed == "ya29.granted")
        let body = try #require(scene.sent.bodies(to: "https://sts.googleapis.com/v1/token").first)
        #expect(body.contains("subject_token=fresh&"))
    }

    @Test(arguments: [(Duration.zero, 5), (.seconds(1), 4), (.seconds(3), 2), (.seconds(4), 2), (.seconds(8), 1)])
    func `an outage is reported before a provider ends the fetch, however slow the machine is`(
        latency: Duration,
        attempts: Int
    ) async {
        var scene = CredentialScene()
        scene.environment = ["GCE_METADATA_HOST": "127.0.0.1:1"]
        scene.latency = latency
        let failure = await #expect(throws: Failure.self) { try await scene.token().get() }
        #expect(failure?.code == .metadataDown)
        #expect(failure?.reason?.contains("refused") == true)
        #expect(scene.sent.requests.count { $0.url.contains("/token?") } == attempts)
    }

    @Test(arguments: [
        #""nan""#, "NaN", #""inf""#, "1e999", "1e308", "-1e308", "1e-320", "-1", "0", #""1e308""#, "null", "[]",
    ])
    func `any expiry of a stored answer of a command is read or ignored`(expiry: String) async throws {
        var scene = scene(
            CredentialScene.external(#"{"executable":{"command":"/bin/token","output_file":"/var/kept"}}"#),
            [(CredentialScene.sts, CredentialScene.granted)]
        )
        scene.files["/var/kept"] = #"{"version":1,"success":true,"id_token":"kept","expiration_time":\#(expiry)}"#
        scene.environment["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"] = "1"
        scene.output =
            #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:jwt","id_token":"fresh"}"#
        #expect(try await scene.token().get().revealed == "ya29.granted")
        let body = try #require(scene.sent.bodies(to: "https://sts.googleapis.com/v1/token").first)
        // Only a number in the future is an expiry that is not over.
        #expect(body.contains("subject_token=kept&") == (expiry == "1e308"), "\(body)")
    }

    @Test func `the metadata server is asked without a proxy`() async throws {
        let path = "\(CredentialScene.metadata)/computeMetadata/v1/instance/service-accounts/default/token"
        var scene = CredentialScene()
        scene.answers = [
            (path, .metadata(#"{"access_token":"ya29.machine","expires_in":240}"#)),
            (CredentialScene.metadata, .metadata("")),
        ]
        let token = try await scene.token().get()
        #expect(token.revealed == "ya29.machine")
        #expect(scene.sent.requests.allSatisfy { !$0.usesProxies })
        #expect(scene.sent.requests.allSatisfy { $0.headers.contains { $0 == ("Metadata-Flavor", "Google") } })
    }

    @Test(arguments: [
        #""nan""#, #""NaN""#, #""inf""#, #""-infinity""#, #""1e999""#, #""0x1p3""#, #""""#, "1e308", "-1e308", "1e-320",
        "-1",
        "9223372036854775808", #""1e308""#, "null", "[]", "true",
    ])
    func `any lifetime of an answer gives a token that ends within a day`(lifetime: String) async throws {
        let answer = #"{"access_token":"ya29.granted","expires_in":\#(lifetime)}"#
        let scene = scene(CredentialScene.user, [(CredentialScene.tokenURL, .json(answer))])
        let token = try await scene.token().get()
        guard case .after(let life) = token.expiry else {
            Issue.record("the token has another expiry: \(token.expiry)")
            return
        }
        #expect(life >= .zero && life <= .seconds(86_400))
    }

    // MARK: Signing

    @Test func `IAM signs for a named account and one access token serves many signatures`() async throws {
        let scene = scene(
            CredentialScene.user,
            [(CredentialScene.tokenURL, CredentialScene.granted), (CredentialScene.iam, Self.signed)]
        )
        let choice = TokenSigner.Choice(account: CredentialScene.signer, delegates: ["middle@p"])
        let source = try await scene.source(signing: choice)
        for _ in 1...3 { _ = try await source.fetch(trip, reason: .needed) }
        #expect(scene.sent.bodies(to: "https://oauth2.googleapis.com/token").count == 1)
        let bodies = scene.sent.bodies(to: "https://iamcredentials.googleapis.com/")
        #expect(bodies.count == 3)
        let body = try #require(JSONValue(Array(bodies[0].utf8)))
        #expect(body["delegates"] == .array([.string("projects/-/serviceAccounts/middle@p")]))
        let claims = try #require(body["payload"]?.string.flatMap { JSONValue(Array($0.utf8)) })
        #expect(claims["iss"]?.string == CredentialScene.signer)
        #expect(claims["authorization"]?["tripid"]?.string == "trip-1")
        #expect(claims["exp"]?.number == CredentialScene.now.timeIntervalSince1970 + 3300)
    }

    @Test func `a key file signs for its own account without a network`() async throws {
        let scene = scene(CredentialScene.keyFile(), [])
        let token = try await scene.token(trip).get()
        #expect(scene.sent.requests.isEmpty)
        #expect(try TokenClaims(token: token.revealed).tripID == "trip-1")
    }

    @Test func `an impersonated account signs with the token of its source and the delegates of the file`() async throws
    {
        let scene = scene(
            CredentialScene.impersonated,
            [(CredentialScene.tokenURL, CredentialScene.granted), (CredentialScene.iam, Self.signed)]
        )
        #expect(try await scene.token(trip).get().revealed == "header.claims.signature")
        let request = try #require(scene.sent.requests.last)
        #expect(request.url.hasSuffix("backend%40p.iam.gserviceaccount.com:signJwt"))
        #expect(request.headers.contains { $0 == ("Authorization", "Bearer ya29.granted") })
        #expect(JSONValue(request.body)?["delegates"] == .array([.string("projects/-/serviceAccounts/middle@p")]))
    }

    @Test func `a login that IAM refuses with 401 is renewed once, and the signature asked for again`() async throws {
        let refused = CredentialScene.Answer.json(
            #"{"error":{"code":401,"status":"UNAUTHENTICATED","message":"no"}}"#,
            status: 401
        )
        var scene = scene(CredentialScene.user, [(CredentialScene.iam, refused)])
        scene.rounds = [CredentialScene.tokenURL: ["one", "two", "three"].map { Self.granted($0) }]
        let signer = TokenSigner.Choice(account: CredentialScene.signer)
        let result = await scene.token(trip, signing: signer)
        #expect(throws: Failure.self) { try result.get() }
        let sent = scene.sent.requests.filter { $0.url.contains(":signJwt") }.map { request in
            request.headers.first { $0.name == "Authorization" }?.value
        }
        #expect(sent == ["Bearer ya29.one", "Bearer ya29.two"])
        scene.rounds[CredentialScene.iam] = [refused, Self.signed]
        #expect(try await scene.token(trip, signing: signer).get().revealed == "header.claims.signature")
    }

    private static func granted(_ name: String) -> CredentialScene.Answer {
        .json(#"{"access_token":"ya29.\#(name)","expires_in":3599,"token_type":"Bearer"}"#)
    }

    @Test func `the account of a machine signs`() async throws {
        let base = "\(CredentialScene.metadata)/computeMetadata/v1/instance/service-accounts/default/"
        var scene = CredentialScene()
        scene.answers = [
            ("\(base)token", .metadata(#"{"access_token":"ya29.machine","expires_in":3000}"#)),
            ("\(base)email", .metadata("vm@p.iam.gserviceaccount.com\n")),
            (CredentialScene.metadata, .metadata("")), (CredentialScene.iam, Self.signed),
        ]
        #expect(try await scene.token(trip).get().revealed == "header.claims.signature")
        #expect(scene.sent.requests.last?.url.contains("/vm%40p.iam.gserviceaccount.com:signJwt") == true)
    }

    @Test func `a person's login without a named account can't sign`() async throws {
        let result = await scene(CredentialScene.user, []).token(trip)
        #expect(throws: Failure(.signerUnnamed)) { try result.get() }
    }

    // MARK: Outages

    @Test func `an outage of Google's endpoint is tried again and then reported`() async throws {
        let scene = scene(CredentialScene.user, [(CredentialScene.tokenURL, .json("{}", status: 503))])
        let result = await scene.token()
        #expect(scene.sent.requests.count == 3)
        guard case .failure(let failure) = result else {
            Issue.record("there is a token")
            return
        }
        #expect(failure.code == .googleFailed)
        #expect(failure.retry == .withSource)
    }

    @Test func `a refusal is not tried again`() async {
        let answer = CredentialScene.Answer.json(#"{"error":"invalid_grant"}"#, status: 400)
        let scene = scene(CredentialScene.user, [(CredentialScene.tokenURL, answer)])
        _ = await scene.token()
        #expect(scene.sent.requests.count == 1)
    }
}
