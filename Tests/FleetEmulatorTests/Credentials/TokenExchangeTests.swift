import Crypto
import FleetEmulator
import Foundation
import JWTKit
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Emulated token exchange", .ends(within: .quickTest))
struct TokenExchangeTests {
    private static let pool =
        "//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/emulator-pool/providers/"
    private static let awsType = "urn:ietf:params:aws:token-type:aws4_request"

    /// The form of an exchange with changed fields; an empty value is as good as none.
    private static func form(_ subject: String, _ changes: [String: String] = [:]) -> [(String, String)] {
        var fields = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "audience": pool + "emulator-oidc",
            "scope": CredentialScene.cloudPlatform,
            "requested_token_type": "urn:ietf:params:oauth:token-type:access_token",
            "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
            "subject_token": subject,
        ]
        fields.merge(changes) { $1 }
        return fields.map { ($0.key, $0.value) }
    }

    private static func subject(_ scene: CredentialScene, query: String = "") async throws -> String {
        let url = CredentialScene.google + "/subject-token" + query
        let answer = try await scene.send("GET", url, headers: [("Metadata", "True")])
        return answer.json?["access_token"]?.string ?? "-"
    }

    @Test func `a subject token gives an access token with which IAM acts for the workload`() async throws {
        let scene = try await CredentialScene()
        let answer = try await scene.post("/v1/token", Self.form(try await Self.subject(scene)))
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.json?["expires_in"]?.number == 3599)
        #expect(answer.json?["issued_token_type"]?.string == "urn:ietf:params:oauth:token-type:access_token")
        let token = try #require(answer.json?["access_token"]?.string)
        let body = #"{"scope":["\#(CredentialScene.cloudPlatform)"]}"#
        let account = "ondemandAdmin@p.iam.gserviceaccount.com"
        #expect(try await scene.iam(account, "generateAccessToken", body, token: token).status == 200)
        // A workload belongs to the project, so that it needs no quota project.
        #expect(try await scene.trips(token: token).status == 200)
    }

    @Test func `the attribute condition accepts one workload only`() async throws {
        let scene = try await CredentialScene()
        let other = try await Self.subject(scene, query: "?subject=other-workload")
        #expect(
            try await scene.post("/v1/token", Self.form(other)).oauth
                == "400 unauthorized_client: The given credential is rejected by the attribute condition."
        )
    }

    @Test func `refuses parameters with the words of Google`() async throws {
        let scene = try await CredentialScene()
        let subject = try await Self.subject(scene)
        func answer(_ changes: [String: String]) async throws -> String {
            try await scene.post("/v1/token", Self.form(subject, changes)).oauth
        }
        #expect(try await answer(["audience": "x"]).hasPrefix(#"400 invalid_request: Invalid value for "audience"."#))
        #expect(try await answer(["audience": Self.pool + "other"]).hasPrefix("400 invalid_target: The target service"))
        #expect(try await answer(["requested_token_type": "x"]).contains("requested_token_type"))
        #expect(try await answer(["subject_token_type": Self.awsType]).contains("subject_token_type"))
        #expect(try await answer(["grant_type": "x"]).hasPrefix("400 unsupported_grant_type"))
        #expect(try await answer(["scope": ""]).hasPrefix("400 invalid_scope"))
        #expect(try await answer(["subject_token": ""]).contains("subject_token"))
        #expect(try await answer(["subject_token": "x"]).hasPrefix("400 invalid_grant"))
    }

    @Test func `refuses subject tokens of others, and old ones`() async throws {
        let scene = try await CredentialScene()
        let token = try await Self.subject(scene)
        func answer(_ token: String) async throws -> String {
            try await scene.post("/v1/token", Self.form(token)).oauth
        }
        let foreign = JWTKeyCollection()
        await foreign.add(ecdsa: ES256PrivateKey())
        let now = scene.clock.now().wall.timeIntervalSince1970.rounded(.down)
        var claims = TestClaims(iss: "https://identity.example", sub: "x", aud: "x", iat: now, exp: now + 60)
        #expect(try await answer(foreign.sign(claims)) == "400 invalid_grant: Invalid ID Token signature.")
        claims.iss = "https://other.example"
        #expect(try await answer(foreign.sign(claims)).contains("The issuer in ID Token https://other.example"))
        scene.clock.advance(by: .seconds(3601))
        #expect(try await answer(token) == "400 invalid_grant: ID Token issued at \(Int(now)) is stale to sign-in.")
    }

    @Test func `faults make the subject stale or reject it`() async throws {
        let scene = try await CredentialScene()
        let token = try await Self.subject(scene)
        try scene.fail("attribute-condition")
        #expect(
            try await scene.post("/v1/token", Self.form(token)).oauth
                == "400 unauthorized_client: The given credential is rejected by the attribute condition."
        )
        scene.faults.clear()
        try scene.fail("stale-subject", path: "subject-token")
        let stale = try await Self.subject(scene)
        #expect(try await scene.post("/v1/token", Self.form(stale)).oauth.hasSuffix("is stale to sign-in."))
        #expect(try await scene.post("/v1/token", Self.form(token)).status == 200)
    }

    @Test func `the URL source requires its header`() async throws {
        let scene = try await CredentialScene()
        #expect(try await scene.send("GET", CredentialScene.google + "/subject-token").status == 400)
    }

    // MARK: AWS

    /// The values of the emulated instance.
    private struct Instance {
        var key: String
        var secret: String
        var token: String

        init(_ scene: CredentialScene) async throws {
            let base = CredentialScene.google + "/latest"
            let lifetime = [("X-aws-ec2-metadata-token-ttl-seconds", "300")]
            let session = try await scene.send("PUT", base + "/api/token", headers: lifetime).text
            func get(_ path: String) async throws -> CredentialScene.Answer {
                try await scene.send("GET", base + path, headers: [("X-aws-ec2-metadata-token", session)])
            }
            #expect(try await get("/meta-data/placement/availability-zone").text == "eu-west-1b")
            let role = try await get("/meta-data/iam/security-credentials").text
            let keys = try await get("/meta-data/iam/security-credentials/\(role)").json
            key = keys?["AccessKeyId"]?.string ?? ""
            secret = keys?["SecretAccessKey"]?.string ?? ""
            token = keys?["Token"]?.string ?? ""
        }

        /// Signs a request by AWS Signature Version 4, with the values of the published algorithm.
        func subject(at now: Date, resource: String = TokenExchangeTests.pool + "emulator-aws") -> String {
            let time = Timestamp.text(now).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
            let (day, host) = (time.prefix(8), "sts.eu-west-1.amazonaws.com")
            let query = "Action=GetCallerIdentity&Version=2011-06-15"
            func hex(_ bytes: some Sequence<UInt8>) -> String {
                bytes.map { String(format: "%02x", $0) }.joined()
            }
            func sign(_ key: Data, _ text: String) -> Data {
                Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key)))
            }
            let empty = hex(SHA256.hash(data: Data()))
            let request =
                "POST\n/\n\(query)\nhost:\(host)\nx-amz-date:\(time)\nx-amz-security-token:\(token)\n\n"
                + "host;x-amz-date;x-amz-security-token\n\(empty)"
            let scope = "\(day)/eu-west-1/sts/aws4_request"
            let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n" + hex(SHA256.hash(data: Data(request.utf8)))
            let key = ["eu-west-1", "sts", "aws4_request"]
                .reduce(sign(Data("AWS4\(secret)".utf8), String(day))) { sign($0, $1) }
            let authorization =
                "AWS4-HMAC-SHA256 Credential=\(self.key)/\(scope), "
                + "SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=\(hex(sign(key, text)))"
            let headers = [
                ("Authorization", authorization), ("host", host), ("x-amz-date", String(time)),
                ("x-amz-security-token", token), ("x-goog-cloud-target-resource", resource),
            ].map { #"{"key":"\#($0.0)","value":"\#($0.1)"}"# }.joined(separator: ",")
            return PercentEncoding.encode(
                #"{"url":"https://\#(host)?\#(query)","method":"POST","headers":[\#(headers)]}"#
            )
        }
    }

    @Test func `a signed request of AWS proves the identity of a workload`() async throws {
        let scene = try await CredentialScene()
        let instance = try await Instance(scene)
        func answer(_ subject: String) async throws -> String {
            let changes = ["audience": Self.pool + "emulator-aws", "subject_token_type": Self.awsType]
            return try await scene.post("/v1/token", Self.form(subject, changes)).oauth
        }
        let now = scene.clock.now().wall
        #expect(try await answer(instance.subject(at: now)) == "200 -: -")
        var other = instance
        other.secret = "other"
        #expect(try await answer(other.subject(at: now)).contains("type SignatureDoesNotMatch"))
        other = instance
        other.key = "ASIAOTHER"
        #expect(try await answer(other.subject(at: now)).contains("type InvalidClientTokenId"))
        let resource = Self.pool + "emulator-oidc"
        #expect(
            try await answer(instance.subject(at: now, resource: resource)).contains("x-goog-cloud-target-resource")
        )
        #expect(try await answer(instance.subject(at: now.addingTimeInterval(-1000))).contains("Signature expired"))
        #expect(try await answer("x").contains("Unable to parse"))
        #expect(try await answer("%7B%22url%22%3A%22https%3A%2F%2Fx%22%7D").contains("Unable to parse"))
    }

    @Test func `the metadata of the instance requires its session token`() async throws {
        let scene = try await CredentialScene()
        let base = CredentialScene.google + "/latest"
        #expect(try await scene.send("PUT", base + "/api/token").status == 400)
        #expect(try await scene.send("GET", base + "/meta-data/placement/availability-zone").status == 401)
    }
}
