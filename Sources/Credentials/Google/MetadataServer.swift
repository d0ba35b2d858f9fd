import Failures
import FleetTokens
import Foundation
import Runtime

/// The metadata server of a machine in Google Cloud.
///
/// It is reached over plain HTTP at fixed addresses, as Google defines it, without proxies. No secret is sent to it.
package struct MetadataServer: Sendable {
    /// Whether there is a metadata server.
    enum Presence: Sendable {
        case present
        /// No server answered in time.
        case absent
        /// The environment forbids to ask.
        case forbidden
        /// Something else answered.
        case foreign
    }

    /// The addresses of metadata servers of clouds.
    static let cloudHosts: Set<String> = [
        "metadata.google.internal", "metadata", "169.254.169.254", "fd20:ce::254", "fd00:ec2::254",
    ]
    private static let standardHost = "metadata.google.internal"
    private static let header = "Metadata-Flavor"
    /// The waits before further attempts: in a container, the server may start some seconds later.
    private static let waits: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(3)]

    /// Host and port, without a scheme.
    package let host: String
    /// Whether the environment names the server, so that it need not be searched.
    private let isNamed: Bool

    /// Reads the address from the environment; throws an error for one that is not a host with a port.
    init(_ world: CredentialWorld) throws(Failure) {
        let value = world.variable("GCE_METADATA_HOST") ?? world.variable("GCE_METADATA_ROOT")
        isNamed = value != nil
        var text = value ?? Self.standardHost
        if text.hasPrefix("http://") { text.removeFirst("http://".count) }
        while text.hasSuffix("/") { text.removeLast() }
        guard let origin = URLOrigin("http://\(text)"), origin.path.isEmpty,
            origin.isLoopback || Self.cloudHosts.contains(origin.host) || world.files.allowsPlainHTTP
        else { throw Failure(.metadataHost).with(.value, value ?? "") }
        host = text
    }

    /// Finds out whether there is a metadata server, within 3 s.
    func detect(_ world: CredentialWorld) async -> Presence {
        if isNamed { return .present }
        if world.variable("NO_GCE_CHECK")?.lowercased() == "true" { return .forbidden }
        let request = request("/", timeout: .seconds(3))
        // Why nothing answers does not matter for the search: the message lists the places.
        guard let response = try? await world.transport.send(request) else { return .absent }
        return Self.isGenuine(response) ? .present : .foreign
    }

    /// Returns the access token of the default account.
    func accessToken(
        scopes: [String],
        _ world: CredentialWorld,
        _ recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        let call = GoogleCall(world: world, recorder: recorder)
        let list = PercentEncoding.encode(scopes.joined(separator: ","))
        let path = "/computeMetadata/v1/instance/service-accounts/default/token?scopes=\(list)"
        let response: HTTPTransportResponse
        do throws(Failure) {
            response = try await call.send(request(path), waits: Self.waits)
        } catch {
            // If the outage is an error status, the server has answered; other outages have no answer.
            guard error.retry == .withSource, error.code != .googleFailed else { throw error }
            let reason = error.code == .timedOut ? "timed out" : error.reason ?? ""
            throw Failure(.metadataDown).with(.host, host).with(.reason, reason)
        }
        guard Self.isGenuine(response) else { throw Failure(.metadataForeign).with(.host, host) }
        switch response.status {
        case 200: break
        case 404: throw Failure(.metadataNoAccount).with(.host, host)
        default:
            throw Failure(.metadataForbidden).with(.host, host).with(.status, response.status)
        }
        let token = try call.accessToken(in: response, from: "http://\(host)")
        try await checkScopes(scopes, world)
        return token
    }

    /// Throws if the machine has none of the scopes that IAM and Fleet Engine need; a list that can't be read is no error.
    private func checkScopes(_ wanted: [String], _ world: CredentialWorld) async throws(Failure) {
        guard let text = await text("instance/service-accounts/default/scopes", world) else { return }
        let scopes = text.split(whereSeparator: \.isNewline).map(String.init)
        let isEnough = scopes.contains(Scope.cloudPlatform) || wanted.allSatisfy(scopes.contains)
        guard !scopes.isEmpty, !isEnough else { return }
        let names = scopes.prefix(5).map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        throw Failure(.metadataScopes).with(.scopes, names.joined(separator: ", "))
    }

    /// The address of the default account; `nil` if the server does not say it.
    package func account(_ world: CredentialWorld) async -> String? {
        await text("instance/service-accounts/default/email", world)
    }

    /// The domain of Google's services.
    func universe(_ world: CredentialWorld) async -> String {
        await text("universe/universe-domain", world) ?? FoundCredential.googleUniverse
    }

    /// Returns a text of the server; `nil` if it has none.
    func text(_ path: String, _ world: CredentialWorld) async -> String? {
        // These are only details: the request for a token reports why the server does not answer.
        guard let response = try? await world.transport.send(request("/computeMetadata/v1/\(path)")),
            response.status == 200,
            Self.isGenuine(response), response.body.count <= 4096
        else { return nil }
        let text = String(decoding: response.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    /// Returns a request without a proxy, which must not see the machine's tokens.
    private func request(_ path: String, timeout: Duration = .seconds(3)) -> HTTPTransportRequest {
        var request = HTTPTransportRequest(
            url: "http://\(host)\(path)",
            headers: [(Self.header, "Google")],
            timeout: timeout,
            maximumResponseBytes: GoogleCall.maximumBytes
        )
        request.usesProxies = false
        return request
    }

    /// Whether the answer has the mark of a metadata server, which networks with login pages do not send.
    private static func isGenuine(_ response: HTTPTransportResponse) -> Bool { response.header(header) == "Google" }
}
