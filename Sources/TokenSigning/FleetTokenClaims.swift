package import FleetTokens
package import Foundation
package import JWTKit
import Runtime

/// The claims of a Fleet Engine token, signed by a key or by IAM.
///
/// Times are whole seconds, because some parsers reject the fractions of an encoded `Date`.
package struct FleetTokenClaims: JWTPayload {
    var iss: String
    var sub: String
    var aud: String
    var iat: Int
    package var exp: Int
    var authorization: [String: String]

    /// Creates the claims of a token that a service account signs.
    ///
    /// It is valid from 30 s ago: the service rejects an `exp` more than an hour ahead, and the signer's clock may be slightly
    /// fast.
    package init(
        _ email: String,
        _ context: AuthorizationContext,
        at now: Date,
        lifetime: Duration = .seconds(3300),
        audience: String = TokenExpectations.fleetEngineAudience
    ) {
        let seconds = Int(now.timeIntervalSince1970.rounded(.down))
        (iss, sub, aud) = (email, email, audience)
        iat = seconds - 30
        exp = seconds + Int(lifetime.components.seconds)
        authorization = context.authorization
    }

    /// Does nothing: these claims are only signed.
    package func verify(using algorithm: some JWTAlgorithm) async throws {}
}
