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
    /// The name of the API in the details of errors.
    static let service = "fleetengine.googleapis.com"
    /// The header that names the project that is to pay for a call.
    static let quotaProjectHeader = "x-goog-user-project"
    static let skew = 600.0
    static let longestLife = 3600.0
    /// The maximum number of cached verified tokens.
    private static let limit = 4096

    private let accounts: ServiceAccounts
    private let accessTokens: AccessTokens
    private let provider: String
    private let missingToken: MissingToken
    /// Tokens with a valid signature.
    ///
    /// A poller's token is verified once instead of on every poll.
    private let known = Mutex<[Data: (role: Caller.Role, claims: FleetClaims)]>([:])

    init(accounts: ServiceAccounts, accessTokens: AccessTokens, provider: String, missingToken: MissingToken) {
        self.accounts = accounts
        self.accessTokens = accessTokens
        self.provider = provider
        self.missingToken = missingToken
    }

    /// Authenticates the caller of the service.
    ///
    /// - Parameters:
    ///   - header: The `Authorization` header.
    ///   - quotaProject: The `X-Goog-User-Project` header.
    ///   - now: The emulator's time.
    /// - Returns: The caller.
    /// - Throws: 401 for an invalid token, 403 for scopes or a quota project that do not cover the call.
    func caller(header: String?, quotaProject: String? = nil, at now: Date) async throws(ServiceError) -> Caller {
        guard let header, !header.isEmpty else {
            switch missingToken {
            case .unauthenticated: throw .unauthenticated("Request is missing required authentication credential.")
            case .permissionDenied: throw .permissionDenied("The request has no token.")
            }
        }
        guard header.lowercased().hasPrefix("bearer ") else {
            throw .invalidJWT
        }
        let token = header.dropFirst(7)
        let caller =
            AccessTokens.isOne(token)
            ? try caller(accessToken: token, hasQuotaProject: quotaProject != nil, at: now)
            : try await caller(jwt: token, at: now)
        if let quotaProject, quotaProject != provider || !caller.roles.contains(where: \.mayUseServices) {
            throw .userProjectDenied(quotaProject, service: Self.service)
        }
        return caller
    }

    // MARK: Access tokens

    private func caller(
        accessToken: Substring,
        hasQuotaProject: Bool,
        at now: Date
    ) throws(ServiceError) -> Caller {
        guard let token = accessTokens[accessToken] else { throw .invalidCredentials }
        guard token.expires > now else { throw .accessTokenExpired(service: Self.service) }
        guard token.scopes.contains(OAuthScope.cloudPlatform) else { throw .insufficientScopes(service: Self.service) }
        if token.principal.needsQuotaProject, !hasQuotaProject { throw .noQuotaProject(service: Self.service) }
        return caller(token.principal)
    }

    /// A caller whose credential has no claims.
    private func caller(_ principal: Principal) -> Caller {
        var caller = Caller(role: principal.role, tripID: nil, vehicleID: nil)
        if case .account(let role) = principal { caller.roles = accounts.roles(sharing: role) }
        caller.hasClaims = false
        return caller
    }

    // MARK: JWTs

    private func caller(jwt: Substring, at now: Date) async throws(ServiceError) -> Caller {
        guard let (role, claims) = await verified(jwt, at: now) else {
            throw .invalidJWT
        }
        guard claims.iss == accounts.address(of: role), claims.sub == claims.iss else {
            throw .unauthenticated("The token's subject is not the account that signed it.")
        }
        // A token has an audience or scopes, never both (AIP-4111).
        let scopes = claims.aud == nil ? claims.scope.map(OAuthScope.set) : nil
        guard claims.aud == Self.audience || scopes != nil else {
            throw .unauthenticated("The token's audience is not \(Self.audience)")
        }
        try checkTimes(claims, at: now.timeIntervalSince1970)
        if let scopes {
            guard scopes.contains(OAuthScope.cloudPlatform) else { throw .insufficientScopes(service: Self.service) }
        }
        var caller = Caller(
            role: role,
            tripID: claims.authorization?.tripid,
            vehicleID: claims.authorization?.vehicleid
        )
        caller.roles = accounts.roles(sharing: role)
        caller.delivery = DeliveryClaims(claims.authorization)
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

extension DeliveryClaims {
    fileprivate init(_ claims: FleetClaims.Authorization?) {
        self.init()
        (trackingID, deliveryVehicleID) = (claims?.trackingid, claims?.deliveryvehicleid)
        (taskID, taskIDs) = (claims?.taskid, claims?.taskids)
    }
}
