import FleetWire
public import HTTPTransport

/// The certificates that belong to the keys of service accounts, where they are published.
///
/// A request names nothing but the account's e-mail address, which comes from the token's `iss`; the token is never sent.
public struct IssuerCertificates: Sendable {
    /// Where Google publishes them; `{email}` is replaced by the account's percent-encoded address.
    public static let google = "https://www.googleapis.com/service_accounts/v1/metadata/x509/{email}"

    /// What is known about the keys of an account.
    package enum Answer: Sendable, Equatable {
        /// The certificates in PEM, by the IDs of their keys.
        case published([String: String])
        /// There is no such account.
        case noSuchAccount
        /// No usable answer came.
        case notAvailable(reason: String)
        /// The issuer is not an address that certificates are published for.
        case notAnAccount
    }

    /// The longest e-mail address that is asked for, in bytes (RFC 5321, section 4.5.3.1.3).
    private static let longestAddress = 254
    /// An account has at most ten keys of its own, and some of Google's.
    private static let mostKeys = 100
    private static let largestAnswer = 1 << 20

    /// The host that is asked.
    package let host: String
    private let template: String
    private let transport: HTTPTransport
    private let timeout: Duration

    /// Certificates from a URL.
    ///
    /// - Parameters:
    ///   - template: An absolute URL with `{email}` in its path or query.
    ///   - transport: What sends the request.
    ///   - allowsPlainHTTP: Whether `http` may be used to other machines than this one.
    ///   - timeout: How long one request may take, in real time.
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

    /// Asks for the certificates of an account, once.
    package func certificates(of email: String) async -> Answer {
        guard isAddress(email) else { return .notAnAccount }
        let request = HTTPTransportRequest(
            url: template.replacing("{email}", with: TokenURLTemplate.encode(email)),
            headers: [("Accept", "application/json")],
            timeout: timeout,
            maximumResponseBytes: Self.largestAnswer
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
        guard case .object(let members)? = JSONText(response.body) else {
            return .notAvailable(reason: "the answer is not a JSON object")
        }
        var certificates: [String: String] = [:]
        for member in members.prefix(Self.mostKeys) {
            guard let pem = member.value.string, pem.contains("BEGIN CERTIFICATE") else { continue }
            certificates[member.key] = pem
        }
        return certificates.isEmpty
            ? .notAvailable(reason: "no certificate is in the answer") : .published(certificates)
    }

    /// Whether a text can be an account's address; of any other there is nothing to ask for.
    private func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= Self.longestAddress,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return false }
        // Google publishes those of service accounts only, and is not asked about anything else.
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
