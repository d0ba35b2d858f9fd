public import Failures
public import FleetTokens
public import Foundation
package import JWTKit
public import Runtime
import TripModel

/// A service account's signing key, read once from its JSON file; it prints redacted.
public struct ServiceAccountKey: Sendable {
    /// The service account's address, which is also `iss` and `sub`.
    public let email: String
    /// The ID of the key, `kid` in the header.
    public let keyID: String
    private let keys: JWTKeyCollection

    /// Reads a key file.
    ///
    /// - Throws: ``Failures/Failure/badKey(reason:)``, which never quotes the file.
    public init(json: [UInt8]) async throws(Failure) {
        guard let file = JSONValue(json) else { throw .badKey(reason: "the file is not JSON") }
        func member(_ name: String) throws(Failure) -> String {
            guard let text = file[name]?.string, !text.isEmpty else { throw .badKey(reason: "\(name) is missing") }
            return text
        }
        try await self.init(
            email: try member("client_email"),
            keyID: try member("private_key_id"),
            pem: try member("private_key")
        )
    }

    /// Creates a signer from a private key in PEM.
    ///
    /// - Throws: ``Failures/Failure/badKey(reason:)``, which never quotes the key.
    package init(email: String, keyID: String, pem: String) async throws(Failure) {
        (self.email, self.keyID) = (email, keyID)
        let key: Insecure.RSA.PrivateKey
        do { key = try Insecure.RSA.PrivateKey(pem: pem) } catch {
            throw .badKey(reason: "private_key is not an RSA key in PEM")
        }
        keys = JWTKeyCollection()
        await keys.add(rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: keyID))
    }

    /// Signs a token that is valid from 30 s ago until 55 minutes from now.
    ///
    /// The service rejects an `exp` more than an hour ahead. The margin tolerates a signer's clock that is slightly fast.
    public func sign(
        _ context: AuthorizationContext,
        at now: Date,
        lifetime: Duration = .seconds(3300),
        audience: String = TokenExpectations.fleetEngineAudience
    ) async throws(Failure) -> IssuedToken {
        let claims = FleetTokenClaims(email, context, at: now, lifetime: lifetime, audience: audience)
        return IssuedToken(try await sign(claims))
    }

    /// Signs claims and returns the JWT.
    package func sign(_ claims: some JWTPayload) async throws(Failure) -> String {
        do { return try await keys.sign(claims, kid: JWKIdentifier(string: keyID)) } catch {
            throw .badKey(reason: "signing failed")
        }
    }
}

extension ServiceAccountKey: Redacted {
    /// The ID of the key, without the key.
    public var description: String { "<signing key \(keyID)>" }
}

/// Signs tokens with a service account's key; for servers and tests, never for a distributed app.
public struct ServiceAccountTokenSource: TokenSource {
    /// `service account key`.
    public let name = "service account key"

    private let key: ServiceAccountKey
    private let clock: any TripClock
    private let lifetime: Duration

    /// Creates a source that signs with a key and a clock.
    public init(key: ServiceAccountKey, clock: any TripClock, lifetime: Duration = .seconds(3300)) {
        self.key = key
        self.clock = clock
        self.lifetime = lifetime
    }

    /// Signs a token for one trip or vehicle, or for a server.
    public func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason
    ) async throws(Failure) -> IssuedToken {
        try await key.sign(context, at: clock.now().wall, lifetime: lifetime)
    }
}

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
