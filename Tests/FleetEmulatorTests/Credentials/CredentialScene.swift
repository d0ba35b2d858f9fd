import CryptoExtras
import Failures
import FleetEmulator
import FleetWire
import Foundation
import JWTKit
import Runtime
import TripModel
import TripTestSupport

/// The credential endpoints and the service without a network, with a manual clock.
struct CredentialScene: Sendable {
    static let cloudPlatform = "https://www.googleapis.com/auth/cloud-platform"
    static let google = "http://google.test"

    let router: RequestRouter
    let clock: ManualClock
    let faults: FaultInjector

    init(accounts: [EmulatorAccount] = []) async throws {
        clock = ManualClock()
        faults = FaultInjector()
        router = RequestRouter(
            FleetService(.world(World(provider: try ProviderID("p")))),
            keys: try await accounts.isEmpty ? SharedKeys.keys : EmulatorKeys(given: accounts),
            options: EmulatorOptions(),
            clock: clock,
            faults: faults
        )
    }

    /// An answer with the values that the tests compare.
    struct Answer {
        var status: Int
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        var json: JSONValue? { JSONValue(body) }
        var text: String { String(decoding: body, as: UTF8.self) }
        /// The status, the reason and the permission or service of an error in Google's format.
        var reason: String {
            let error = json?["error"]
            guard case .array(let details)? = error?["details"] else { return "\(status)" }
            let info = details.first { $0["reason"] != nil }
            let what = ["permission", "consumer", "service"].lazy.compactMap { info?["metadata"]?[$0]?.string }.first
            return "\(status) \(info?["reason"]?.string ?? "-") \(what ?? "-")"
        }
        /// The status, the code and the description of an OAuth error.
        var oauth: String {
            "\(status) \(json?["error"]?.string ?? "-"): \(json?["error_description"]?.string ?? "-")"
        }

        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    /// Sends a request to one of the emulator's hosts.
    func send(
        _ method: String,
        _ url: String,
        headers: [(String, String)] = [],
        body: String = ""
    ) async throws -> Answer {
        let response = try await router.transport.send(
            HTTPTransportRequest(
                method: method,
                url: url,
                headers: headers,
                body: Array(body.utf8),
                timeout: .seconds(10)
            )
        )
        return Answer(status: response.status, headers: response.headers, body: response.body)
    }

    /// Posts a form.
    func post(
        _ path: String,
        _ fields: [(String, String)],
        headers: [(String, String)] = []
    ) async throws -> Answer {
        let body = fields.map { "\($0.0)=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
        return try await send("POST", Self.google + path, headers: headers, body: body)
    }

    /// Calls IAM Service Account Credentials.
    func iam(_ account: String, _ method: String, _ body: String, token: String?) async throws -> Answer {
        let headers = token.map { [("authorization", "Bearer \($0)")] } ?? []
        let url = "\(Self.google)/v1/projects/-/serviceAccounts/\(account):\(method)"
        return try await send("POST", url, headers: headers, body: body)
    }

    /// Calls the service.
    func trips(token: String, quotaProject: String? = nil) async throws -> Answer {
        var headers = [("authorization", "Bearer \(token)")]
        if let quotaProject { headers.append(("x-goog-user-project", quotaProject)) }
        let url = RequestRouter.engineOrigin + "/v1/providers/p/trips:search"
        return try await send("POST", url, headers: headers, body: "{}")
    }

    /// Calls the metadata server.
    func metadata(_ path: String) async throws -> Answer {
        let url = "\(Self.google)/computeMetadata/v1/\(path)"
        return try await send("GET", url, headers: [("Metadata-Flavor", "Google")])
    }

    /// Returns a credential file as JSON.
    func file(_ name: String) throws -> JSONValue {
        let files = router.credentials(at: "google.test").files(in: "/folder")
        guard let file = files.first(where: { $0.name == name }), let json = JSONValue(file.bytes) else {
            throw WireError.notJSON(reason: name)
        }
        return json
    }

    /// Refreshes the access token of the person.
    func userToken(scope: String? = nil) async throws -> String {
        let answer = try await post("/token", try refresh() + (scope.map { [("scope", $0)] } ?? []))
        return answer.json?["access_token"]?.string ?? "-"
    }

    /// The form with which the person refreshes an access token.
    func refresh() throws -> [(String, String)] {
        let file = try file("authorized_user.json")
        return [("grant_type", "refresh_token")]
            + ["client_id", "client_secret", "refresh_token"].map { ($0, file[$0]?.string ?? "") }
    }

    /// Returns an access token of the account of a role.
    func accountToken(_ role: String, scope: String = cloudPlatform) async throws -> String {
        let body = #"{"scope":["\#(scope)"]}"#
        let account = "\(role)@p.iam.gserviceaccount.com"
        let answer = try await iam(account, "generateAccessToken", body, token: try await userToken())
        return answer.json?["accessToken"]?.string ?? "-"
    }

    func fail(_ kind: String, path: String? = nil) throws {
        faults.add(try Fault(.credentials, kind, path: path), at: clock.now().wall)
    }
}

/// The claims of a test's JWT.
struct TestClaims: JWTPayload {
    var iss: String?
    var sub: String?
    var aud: String?
    var scope: String?
    var iat: Double?
    var exp: Double?

    func verify(using algorithm: some JWTAlgorithm) async throws {}

    /// Signs the claims with the key of a service account's file.
    func signed(with file: JSONValue) async throws -> String {
        let keys = JWTKeyCollection()
        let kid = JWKIdentifier(string: file["private_key_id"]?.string ?? "")
        let key = try JWTKit.Insecure.RSA.PrivateKey(pem: file["private_key"]?.string ?? "")
        await keys.add(rsa: key, digestAlgorithm: .sha256, kid: kid)
        return try await keys.sign(self, kid: kid)
    }
}
