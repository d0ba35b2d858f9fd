package import FleetTokens
package import Foundation
import Runtime
import TripModel

/// Creates tokens that are valid except for the signature, which clients do not check.
package struct FakeToken {
    /// `alg` in the header.
    package var algorithm = "RS256"
    /// `aud`.
    package var audience = TokenExpectations.fleetEngineAudience
    /// `iat`; omitted if `nil`.
    package var issuedAt: Date?
    /// `exp`; omitted if `nil`.
    package var expiresAt: Date?
    /// The members of `authorization`; omitted if `nil`.
    package var authorization: [String: String]?
    /// Part of the signature, so that tokens with the same claims differ.
    package var serial: Int

    /// A token for a context with this issue time and lifetime.
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
        let words = "signature of \(serial) without a key to check it "
        // As long as the signature of a service account's key.
        let signature = Array((words + String(repeating: ".", count: max(256 - words.utf8.count, 0))).utf8)
        return [Array(header.utf8), Array(payload.utf8), signature].map(Base64URL.encode).joined(separator: ".")
    }

    /// The token as a source returns it.
    package var issued: IssuedToken { IssuedToken(text) }

    private func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private func number(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
