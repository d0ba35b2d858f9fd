import FleetWire
public import HTTPTransport

/// The published certificates of service account keys.
///
/// A request contains only the account's email address from the token's `iss`. The token is never sent.
public struct IssuerCertificates: Sendable {
    /// The URL at which Google publishes them; `{email}` is replaced by the percent-encoded address.
    public static let google = "https://www.googleapis.com/service_accounts/v1/metadata/x509/{email}"

    /// The result of a request for an account's keys.
    package enum Answer: Sendable, Equatable {
        /// The PEM certificates by key ID.
        case published([String: String])
        /// The account does not exist.
        case noSuchAccount
        /// No usable answer was received.
        case notAvailable(reason: String)
        /// The issuer is not an address with published certificates.
        case notAnAccount
    }

    /// The maximum length of an email address in bytes (RFC 5321, section 4.5.3.1.3).
    private static let maximumAddress = 254
    /// The maximum number of keys: an account has at most ten user-managed keys, plus Google-managed keys.
    private static let maximumKeys = 100
    private static let maximumAnswer = 1 << 20

    /// The host of the URL.
    package let host: String
    private let template: String
    private let transport: HTTPTransport
    private let timeout: Duration

    /// Creates a source of certificates.
    ///
    /// - Parameters:
    ///   - template: An absolute URL with `{email}` in its path or query.
    ///   - transport: Sends the requests.
    ///   - allowsPlainHTTP: Whether plain `http` to hosts other than loopback is allowed.
    ///   - timeout: The timeout of one request in real time.
    /// - Throws: ``TokenSourceError/invalidURL`` or ``TokenSourceError/insecureURL``.
    public init(
        _ template: String = Self.google,
        transport: HTTPTransport,
        allowsPlainHTTP: Bool = false,
        timeout: Duration = .seconds(5)
    ) throws(TokenSourceError) {
        guard let origin = URLOrigin(template.replacing("{email}", with: "x")),
            let place = origin.path.isEmpty ? nil : URLOrigin(template)?.path, place.contains("{email}")
        else { throw .invalidURL }
        guard origin.isSecure || origin.isLoopback || allowsPlainHTTP else { throw .insecureURL }
        self.template = template
        self.transport = transport
        self.timeout = timeout
        host = origin.port.map { "\(origin.host):\($0)" } ?? origin.host
    }

    /// Requests the certificates of an account once.
    package func certificates(of email: String) async -> Answer {
        guard isAddress(email) else { return .notAnAccount }
        let request = HTTPTransportRequest(
            url: template.replacing("{email}", with: TokenURLTemplate.encode(email)),
            headers: [("Accept", "application/json")],
            timeout: timeout,
            maximumResponseBytes: Self.maximumAnswer
        )
        let response: HTTPTransportResponse
        do throws(HTTPTransportError) {
            response = try await transport.send(request)
        } catch {
            return .notAvailable(reason: Self.words(error, at: request.url))
        }
        switch response.status {
        case 200: break
        case 404: return .noSuchAccount
        default: return .notAvailable(reason: "HTTP \(response.status)")
        }
        guard case .object(let members)? = JSONValue(response.body) else {
            return .notAvailable(reason: "the answer is not a JSON object")
        }
        var certificates: [String: String] = [:]
        for member in members.prefix(Self.maximumKeys) {
            guard let pem = member.value.string, pem.contains("BEGIN CERTIFICATE") else { continue }
            certificates[member.key] = pem
        }
        return certificates.isEmpty
            ? .notAvailable(reason: "no certificate is in the answer") : .published(certificates)
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

    private static func words(_ error: HTTPTransportError, at url: String) -> String {
        switch TokenSourceError(error, at: url) {
        case .unreachable(let reason, _), .unusableProxy(let reason): reason
        case .timedOut: "no answer in time"
        case let other: other.code.replacing("_", with: " ")
        }
    }
}
