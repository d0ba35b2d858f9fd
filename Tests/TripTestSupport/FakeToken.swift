package import FleetTokens
package import Foundation
import TripModel

/// Makes tokens that look right in every part but the signature, which nobody on the client's side checks.
package struct FakeToken {
    /// `alg` of the header.
    package var algorithm = "RS256"
    /// `aud`.
    package var audience = TokenExpectations.fleetEngineAudience
    /// `iat`; `nil` leaves it out.
    package var issuedAt: Date?
    /// `exp`; `nil` leaves it out.
    package var expiresAt: Date?
    /// The members of `authorization`; `nil` leaves it out.
    package var authorization: [String: String]?
    /// Tells apart tokens that say the same: goes into the signature.
    package var serial: Int

    /// A token for a context that was issued at a time and lives so long.
    package init(
        _ context: AuthorizationContext,
        issuedAt: Date,
        lifetime: Duration = .seconds(3300),
        serial: Int = 1
    ) {
        self.issuedAt = issuedAt
        expiresAt = issuedAt + lifetime.seconds
        authorization = [context.claimName: context.id]
        self.serial = serial
    }

    /// The token.
    package var text: String {
        var claims = [
            "\"iss\":\"tester@example.com\"", "\"sub\":\"tester@example.com\"", "\"aud\":\(quoted(audience))",
        ]
        if let issuedAt { claims.append("\"iat\":\(number(issuedAt))") }
        if let expiresAt { claims.append("\"exp\":\(number(expiresAt))") }
        if let authorization {
            let members = authorization.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(quoted($0.value))" }
            claims.append("\"authorization\":{\(members.joined(separator: ","))}")
        }
        let header = "{\"alg\":\(quoted(algorithm)),\"typ\":\"JWT\",\"kid\":\"test-key\"}"
        let payload = "{\(claims.joined(separator: ","))}"
        let words = "signature of \(serial) which nobody here can check "
        // As long as that of a service account's key.
        let signature = Array((words + String(repeating: ".", count: max(256 - words.utf8.count, 0))).utf8)
        return [Array(header.utf8), Array(payload.utf8), signature].map(Base64URL.encode).joined(separator: ".")
    }

    /// The token as a source hands it out.
    package var issued: IssuedToken { IssuedToken(text) }

    private func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private func number(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
