import FleetWire
public import Foundation
import JWTKit
public import TripModel

/// A service account's signing key, read once from its JSON file; it prints redacted.
public struct ServiceAccountKey: Sendable {
    /// The service account's address, which is also `iss` and `sub`.
    public let email: String
    /// The ID of the key, `kid` in the header.
    public let keyID: String
    private let keys: JWTKeyCollection

    /// Reads a key file.
    ///
    /// - Throws: ``TokenSourceError/badKey(reason:)``, which never quotes the file.
    public init(json: [UInt8]) async throws(TokenSourceError) {
        guard let file = JSONValue(json) else { throw .badKey(reason: "the file is not JSON") }
        func member(_ name: String) throws(TokenSourceError) -> String {
            guard let text = file[name]?.string, !text.isEmpty else { throw .badKey(reason: "\(name) is missing") }
            return text
        }
        email = try member("client_email")
        keyID = try member("private_key_id")
        let pem = try member("private_key")
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
    ) async throws(TokenSourceError) -> IssuedToken {
        let seconds = Int(now.timeIntervalSince1970.rounded(.down))
        let claims = Claims(
            iss: email,
            sub: email,
            aud: audience,
            iat: seconds - 30,
            exp: seconds + Int(lifetime.components.seconds),
            authorization: context.authorization
        )
        do {
            return IssuedToken(try await keys.sign(claims, kid: JWKIdentifier(string: keyID)))
        } catch {
            throw .badKey(reason: "signing failed")
        }
    }

    /// Times are whole seconds, because some parsers reject the fractions of an encoded `Date`.
    private struct Claims: JWTPayload {
        var iss: String
        var sub: String
        var aud: String
        var iat: Int
        var exp: Int
        var authorization: [String: String]

        func verify(using algorithm: some JWTAlgorithm) async throws {}
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
    ) async throws(TokenSourceError) -> IssuedToken {
        try await key.sign(context, at: clock.now().wall, lifetime: lifetime)
    }
}
