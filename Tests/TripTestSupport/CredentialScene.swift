package import Credentials
package import Failures
package import FleetTokens
package import Foundation
import Runtime
import Synchronization
import TripModel

package import enum CryptoExtras._RSA

/// A machine with variables, files and servers, in which credentials are searched and used.
package struct CredentialScene: Sendable {
    /// What a server answers to a request.
    package struct Answer: Sendable {
        /// The HTTP status.
        package var status = 200
        package var headers: [(name: String, value: String)] = []
        package var body = ""

        /// A JSON answer.
        package static func json(_ body: String, status: Int = 200) -> Answer {
            Answer(status: status, headers: [("Content-Type", "application/json")], body: body)
        }

        /// Creates an answer.
        package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: String = "") {
            (self.status, self.headers, self.body) = (status, headers, body)
        }

        /// An answer of a metadata server.
        package static func metadata(_ body: String, status: Int = 200) -> Answer {
            Answer(status: status, headers: [("Metadata-Flavor", "Google")], body: body)
        }
    }

    /// The time of the machine.
    package static let now = Date(timeIntervalSince1970: 1_767_225_600)

    package var environment: [String: String] = [:]
    package var files: [String: String] = [:]
    package var unreadable: [String: String] = [:]
    /// The answers by the beginning of `METHOD URL`; the first match counts, and a request without an answer is refused.
    package var answers: [(request: String, answer: Answer)] = []
    /// Other answers to the first, the second, … request, by the same beginning; each takes a second.
    package var rounds: [String: [Answer]] = [:]
    /// How long each request takes.
    package var latency = Duration.zero
    /// The output of commands; `nil` if they fail.
    package var output: String?
    /// The requests that were sent.
    package let sent = Requests()

    /// The requests that were sent, with their bodies.
    package final class Requests: Sendable {
        private let all = Mutex<[HTTPTransportRequest]>([])

        package var requests: [HTTPTransportRequest] { all.withLock { $0 } }
        fileprivate func add(_ request: HTTPTransportRequest) { all.withLock { $0.append(request) } }
        /// The forms and JSON bodies of requests to an address.
        package func bodies(to url: String) -> [String] {
            requests.filter { $0.url.hasPrefix(url) }.map { String(decoding: $0.body, as: UTF8.self) }
        }
    }

    /// Creates a machine without files and servers.
    package init() {}

    private var credentialFiles: CredentialFiles {
        let (files, unreadable) = (files, unreadable)
        return CredentialFiles(environment: environment, home: "/home/me", folder: "/srv/app") {
            path throws(CredentialFileProblem) in
            if let reason = unreadable[path] { throw .unreadable(reason: reason) }
            guard let text = files[path] else { throw .missing }
            return Array(text.utf8)
        }
    }

    private var world: CredentialWorld {
        let (answers, rounds, sent, output, latency) = (answers, rounds, sent, output, latency)
        let clock = ManualClock(wall: Self.now)
        let counts = Mutex<[String: Int]>([:])
        return CredentialWorld(
            files: credentialFiles,
            run: { _, _, _ in output.map { .success(Array($0.utf8)) } ?? .failure(.commandFailed(exitStatus: 3)) },
            transport: HTTPTransport { request throws(Failure) in
                sent.add(request)
                clock.advance(by: latency)
                let name = "\(request.method) \(request.url)"
                let round = rounds.first { name.hasPrefix($0.key) }.map { key, answers in
                    clock.advance(by: .seconds(1))
                    return counts.withLock { counts in
                        counts[key, default: 0] += 1
                        return answers[min(answers.count, counts[key, default: 1]) - 1]
                    }
                }
                guard let answer = round ?? answers.first(where: { name.hasPrefix($0.request) })?.answer else {
                    throw Failure(.refused)
                }
                var response = HTTPTransportResponse(
                    status: answer.status,
                    headers: answer.headers,
                    body: Array(answer.body.utf8)
                )
                response.exchange = Exchange(
                    .http,
                    Exchange.Request(
                        method: request.method,
                        url: request.url,
                        headerNames: request.headers.map(\.name),
                        bytes: request.body.count
                    ),
                    answer: Exchange.Answer(status: answer.status, headers: answer.headers, body: response.body),
                    duration: .zero,
                    ending: .complete
                )
                return response
            },
            clock: clock,
            wait: { clock.advance(by: $0) }
        )
    }

    /// Creates a source with Application Default Credentials, or with the file at a path.
    package func source(
        _ path: String? = nil,
        signing choice: TokenSigner.Choice = TokenSigner.Choice()
    ) async throws(Failure) -> CredentialTokenSource {
        let search = CredentialSearch(credentialFiles)
        let local: CredentialSearch.Local =
            if let path { .found(try await search.file(path)) } else { try await search.findLocally() }
        return CredentialTokenSource(local, signing: choice, in: world)
    }

    /// Fetches a token; returns it, or why there is none.
    package func token(
        _ context: AuthorizationContext = .server,
        file path: String? = nil,
        signing choice: TokenSigner.Choice = TokenSigner.Choice()
    ) async -> Result<IssuedToken, Failure> {
        do throws(Failure) {
            return .success(try await source(path, signing: choice).fetch(context, reason: .needed))
        } catch {
            return .failure(error)
        }
    }
}

extension CredentialScene {
    /// A key of a service account; generated once, because that takes most of a second.
    package static let key: _RSA.Signing.PrivateKey = {
        do { return try _RSA.Signing.PrivateKey(keySize: .bits2048) } catch { fatalError("no RSA key: \(error)") }
    }()

    package static let adc = "/home/me/.config/gcloud/application_default_credentials.json"
    package static let email = "backend@p.iam.gserviceaccount.com"
    package static let signer = "rider@p.iam.gserviceaccount.com"
    package static let tokenURL = "POST https://oauth2.googleapis.com/token"
    package static let iam = "POST https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/"
    package static let sts = "POST https://sts.googleapis.com/v1/token"
    package static let metadata = "GET http://metadata.google.internal"
    package static let audience = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/providers/b"

    package static let granted = Answer.json(
        #"{"access_token":"ya29.granted","expires_in":3599,"token_type":"Bearer"}"#
    )

    /// A key file.
    package static func keyFile(_ pem: String = key.pkcs8PEMRepresentation) -> String {
        let text = String(decoding: JSONBytes.encode(pem), as: UTF8.self)
        return
            #"{"type":"service_account","project_id":"p","client_email":"\#(email)","private_key_id":"k1","private_key":\#(text)}"#
    }

    package static let user =
        #"{"type":"authorized_user","client_id":"c","client_secret":"client-secret","refresh_token":"refresh-token","quota_project_id":"q"}"#

    package static let impersonated =
        #"{"type":"impersonated_service_account","quota_project_id":"q","service_account_impersonation_url":"https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\#(email):generateAccessToken","delegates":["projects/-/serviceAccounts/middle@p"],"source_credentials":\#(user)}"#

    package static func external(_ source: String, type: String = "urn:ietf:params:oauth:token-type:jwt") -> String {
        #"{"type":"external_account","audience":"\#(audience)","subject_token_type":"\#(type)","token_url":"https://sts.googleapis.com/v1/token","credential_source":\#(source)}"#
    }

    /// A subject token of another provider.
    package static func subject(expiringIn seconds: Double) -> String {
        let claims =
            #"{"iss":"https://issuer.test","sub":"repo:me/app","exp":\#(Int(now.timeIntervalSince1970 + seconds))}"#
        return [#"{"alg":"RS256"}"#, claims, "signature"].map { Base64URL.encode(Array($0.utf8)) }.joined(
            separator: "."
        )
    }
}
