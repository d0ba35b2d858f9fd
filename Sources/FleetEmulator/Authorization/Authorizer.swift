import Crypto
import FleetWire
import Foundation
import Synchronization

/// Authenticates a caller by the `Authorization` header.
///
/// The checks run in Fleet Engine's order: token present, signature, issuer and subject, audience, times.
final class Authorizer: Sendable {
    /// The HTTP status of a call without a token; Google's documentation mentions both.
    enum MissingToken: Int, Sendable {
        case unauthenticated = 401
        case permissionDenied = 403
    }

    static let audience = "https://fleetengine.googleapis.com/"
    static let skew = 600.0
    static let longestLife = 3600.0
    /// The maximum number of cached verified tokens.
    private static let limit = 4096

    private let accounts: ServiceAccounts
    private let missingToken: MissingToken
    /// Tokens with a valid signature.
    ///
    /// A poller's token is verified once instead of on every poll.
    private let known = Mutex<[Data: (role: Caller.Role, claims: FleetClaims)]>([:])

    init(accounts: ServiceAccounts, missingToken: MissingToken) {
        self.accounts = accounts
        self.missingToken = missingToken
    }

    /// Returns the caller; throws 401 for an invalid token.
    func caller(header: String?, at now: Date) async throws(ServiceError) -> Caller {
        guard let header, !header.isEmpty else {
            switch missingToken {
            case .unauthenticated: throw .unauthenticated("Request is missing required authentication credential.")
            case .permissionDenied: throw .permissionDenied("The request has no token.")
            }
        }
        guard header.lowercased().hasPrefix("bearer "),
            let (role, claims) = await verified(header.dropFirst(7), at: now)
        else {
            throw .unauthenticated("Request had invalid authentication credentials.")
        }
        guard claims.iss == accounts.address(of: role), claims.sub == claims.iss else {
            throw .unauthenticated("The token's issuer or subject is not the account that signed it.")
        }
        guard claims.aud == Self.audience else {
            throw .unauthenticated("The token's audience is not \(Self.audience)")
        }
        try checkTimes(claims, at: now.timeIntervalSince1970)
        var caller = Caller(
            role: role,
            tripID: claims.authorization?.tripid,
            vehicleID: claims.authorization?.vehicleid
        )
        // Google's clients sign tokens without the claim with the key of a server's account.
        caller.hasClaims = claims.authorization != nil
        return caller
    }

    private func checkTimes(_ claims: FleetClaims, at now: Double) throws(ServiceError) {
        guard let issued = claims.iat, let expires = claims.exp, issued.isFinite, expires.isFinite else {
            throw .unauthenticated("The token has no iat or no exp.")
        }
        guard expires > now else { throw .unauthenticated("The token has expired.") }
        guard expires <= now + Self.longestLife, expires - issued <= Self.longestLife + Self.skew else {
            throw .unauthenticated("The token's lifetime is longer than an hour.")
        }
        guard issued <= now + Self.skew else { throw .unauthenticated("The token was issued in the future.") }
    }

    private func verified(_ token: Substring, at now: Date) async -> (role: Caller.Role, claims: FleetClaims)? {
        let token = String(token)
        // The key is a hash: a token is a secret and must not stay in memory after its last use.
        let digest = Data(SHA256.hash(data: Data(token.utf8)))
        if let hit = known.withLock({ $0[digest] }) { return hit }
        guard let found = await accounts.verified(token) else { return nil }
        known.withLock { known in
            if known.count >= Self.limit {
                known = known.filter { ($0.value.claims.exp ?? 0) > now.timeIntervalSince1970 }
                if known.count >= Self.limit { known.removeAll() }
            }
            known[digest] = found
        }
        return found
    }
}
