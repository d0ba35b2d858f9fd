import Foundation
import Runtime

/// Serves the certificates of the service accounts' keys: `GET /service_accounts/v1/metadata/x509/{email}`.
///
/// Path and format (a JSON object from key ID to PEM certificate) match `www.googleapis.com`, which publishes the certificates
/// of every service account.
struct CertificateEndpoint: Sendable {
    /// The path without the account's email address.
    static let path = "/service_accounts/v1/metadata/x509"

    let accounts: ServiceAccounts

    /// Answers a request.
    func answer(_ request: PlainRequest, _ effects: FaultEffects) async -> PlainResponse {
        let parts = request.segments
        guard parts.count == 5, "/" + parts.dropLast().joined(separator: "/") == Self.path else {
            return .error(.noSuchMethod)
        }
        guard request.method == "GET" else { return .error(.methodNotAllowed) }
        guard let certificates = try? await accounts.certificates(of: parts[4]) else {
            // The library's error is not useful to clients.
            return .error(.unavailable)
        }
        guard !certificates.isEmpty else { return .error(.notFound(parts[4])) }
        let isDeleted = effects.problems.contains(.keyDeleted)
        return PlainResponse(status: 200, body: JSONBytes.encode(isDeleted ? [:] : certificates))
    }
}
