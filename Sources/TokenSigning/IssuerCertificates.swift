package import Failures
import FleetTokens
import Runtime

/// The published certificates of service account keys.
///
/// A request contains only the account's email address from the token's `iss`. The token is never sent.
package struct IssuerCertificates: Sendable {
    /// The URL at which Google publishes them; `{email}` is replaced by the percent-encoded address.
    package static let google = "https://www.googleapis.com/service_accounts/v1/metadata/x509/{email}"

    /// Why there are no certificates, as a finding; `nil` if the issuer is not an account with published certificates.
    struct Unavailable: Error {
        let finding: TokenFinding?
    }

    /// The maximum length of an email address in bytes (RFC 5321, section 4.5.3.1.3).
    private static let maximumAddress = 254
    /// The maximum number of keys: an account has at most ten user-managed keys, plus Google-managed keys.
    private static let maximumKeys = 100
    private static let maximumAnswer = 1 << 20

    private let host: String
    /// The URL with `{email}`.
    let template: String
    private let transport: HTTPTransport
    private let timeout: Duration

    /// Creates a source of certificates.
    ///
    /// - Parameters:
    ///   - template: An absolute URL with `{email}` in its path or query.
    ///   - transport: Sends the requests.
    ///   - allowsPlainHTTP: Whether plain `http` to hosts other than loopback is allowed.
    ///   - timeout: The timeout of one request in real time.
    /// - Throws: ``Failures/Failure/sourceInvalidURL`` or ``Failures/Failure/sourceInsecureURL``.
    package init(
        _ template: String = Self.google,
        transport: HTTPTransport,
        allowsPlainHTTP: Bool = false,
        timeout: Duration = .seconds(5)
    ) throws(Failure) {
        guard let origin = URLOrigin(template.replacing("{email}", with: "x")),
            let place = origin.path.isEmpty ? nil : URLOrigin(template)?.path, place.contains("{email}")
        else { throw .sourceInvalidURL }
        guard origin.isSecure || origin.isLoopback || allowsPlainHTTP else { throw .sourceInsecureURL }
        self.template = template
        self.transport = transport
        self.timeout = timeout
        host = origin.port.map { "\(origin.host):\($0)" } ?? origin.host
    }

    /// Requests the PEM certificates of an account; returns them by key ID, none if they are not available.
    package func published(for email: String) async -> [String: String] {
        do throws(Unavailable) { return try await certificates(of: email) } catch { return [:] }
    }

    /// Requests the PEM certificates of an account once; returns them by key ID.
    func certificates(of email: String) async throws(Unavailable) -> [String: String] {
        guard isAddress(email) else { throw Unavailable(finding: nil) }
        let request = HTTPTransportRequest(
            url: template.replacing("{email}", with: PercentEncoding.encode(email)),
            headers: [("Accept", "application/json")],
            timeout: timeout,
            maximumResponseBytes: Self.maximumAnswer
        )
        let response: HTTPTransportResponse
        do throws(Failure) {
            response = try await transport.send(request)
        } catch {
            throw unavailable(Self.words(error, at: request.url))
        }
        switch response.status {
        case 200: break
        case 404: throw Unavailable(finding: .noSuchAccount(host: host, issuer: email))
        default: throw unavailable("HTTP \(response.status)")
        }
        guard case .object(let members)? = JSONValue(response.body) else {
            throw unavailable("the answer is not a JSON object")
        }
        var certificates: [String: String] = [:]
        for member in members.prefix(Self.maximumKeys) {
            guard let pem = member.value.string, pem.contains("BEGIN CERTIFICATE") else { continue }
            certificates[member.key] = pem
        }
        guard !certificates.isEmpty else { throw unavailable("no certificate is in the answer") }
        return certificates
    }

    private func unavailable(_ reason: String) -> Unavailable {
        Unavailable(finding: .noCertificates(host: host, reason: reason))
    }

    /// Returns whether a text is a possible account address; no request is sent otherwise.
    private func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= Self.maximumAddress,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return false }
        // Google publishes certificates of service accounts only.
        return template != Self.google || text.hasSuffix(".gserviceaccount.com")
    }

    private static func words(_ error: Failure, at url: String) -> String {
        let failure = Failure(ofSource: error, at: url)
        if failure.code == .timedOut { return "no answer in time" }
        return failure.reason ?? failure.name.replacing("_", with: " ")
    }
}
