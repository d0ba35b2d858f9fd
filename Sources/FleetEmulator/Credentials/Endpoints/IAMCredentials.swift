import Crypto
import FleetTokens
import FleetWire
import Foundation
import Runtime

import enum CryptoExtras._RSA

/// The IAM Service Account Credentials API: signs with the key of a service account, and issues access tokens for it.
struct IAMCredentials: Sendable {
    static let service = "iamcredentials.googleapis.com"
    private static let title = "IAM Service Account Credentials API"

    let project: CredentialProject

    /// Answers a request for `/v1/projects/-/serviceAccounts/{account}:{method}`.
    func answer(_ request: PlainRequest, at now: Date, _ effects: FaultEffects) async -> PlainResponse {
        let parts = request.segments
        let name = (parts.last ?? "").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[3] == "serviceAccounts", name.count == 2,
            let method = IAMMethod(rawValue: String(name[1]))
        else { return .error(.noSuchMethod) }
        guard request.method == "POST" else { return .error(.methodNotAllowed) }
        do throws(ServiceError) {
            let caller = try await caller(request.authorization, method, at: now)
            if let quotaProject = request.quotaProject, quotaProject != project.id || !caller.role.mayUseServices {
                throw .userProjectDenied(quotaProject, service: Self.service)
            }
            if effects.problems.contains(.iamDisabled) {
                throw .serviceDisabled(Self.service, title: Self.title, project: CredentialProject.number)
            }
            guard parts[2] == "-" else {
                throw .invalidArgument(
                    "The project in the resource name must be the wildcard -: projects/-/serviceAccounts/{account}"
                )
            }
            let body = try IAMRequestBody(request.body, for: method)
            let role = try target(String(name[0]), body.delegates, method, caller, effects.problems)
            switch method {
            case .signJwt: return try signJWT(body, as: role, at: now)
            case .signBlob: return try signBlob(body, as: role)
            case .generateAccessToken: return try accessToken(body, for: role, at: now, effects)
            }
        } catch {
            return .error(error)
        }
    }

    // MARK: The caller

    /// Returns the principal of an access token, or of a JWT that the key of a service account has signed.
    private func caller(_ header: String?, _ method: IAMMethod, at now: Date) async throws(ServiceError) -> Principal {
        guard let header, !header.isEmpty else {
            throw .credentialsMissing(service: Self.service, method: method.fullName)
        }
        guard header.lowercased().hasPrefix("bearer ") else { throw .invalidCredentials }
        let token = header.dropFirst(7)
        let (principal, scopes) =
            AccessTokens.isOne(token) ? try granted(to: token, at: now) : try await signer(of: token, at: now)
        guard !scopes.isDisjoint(with: [OAuthScope.cloudPlatform, OAuthScope.iam]) else {
            throw .insufficientScopes(service: Self.service)
        }
        return principal
    }

    private func granted(to token: Substring, at now: Date) throws(ServiceError) -> (Principal, Set<String>) {
        guard let grant = project.tokens[token] else { throw .invalidCredentials }
        guard grant.expires > now else { throw .accessTokenExpired(service: Self.service) }
        return (grant.principal, grant.scopes)
    }

    /// A JWT for this API (AIP-4111) covers all of it.
    private func signer(of token: Substring, at now: Date) async throws(ServiceError) -> (Principal, Set<String>) {
        let seconds = now.timeIntervalSince1970
        guard let (role, claims) = await project.accounts.verified(String(token)),
            claims.iss == project.accounts.address(of: role), claims.sub == claims.iss,
            let issued = claims.iat, let expires = claims.exp, issued <= seconds + Authorizer.skew, expires > seconds,
            expires - issued <= Authorizer.longestLife
        else { throw .invalidCredentials }
        if claims.aud == "https://\(Self.service)/" { return (.account(role), [OAuthScope.iam]) }
        guard claims.aud == nil, let scope = claims.scope else { throw .invalidCredentials }
        return (.account(role), OAuthScope.set(scope))
    }

    // MARK: Permissions

    /// Returns the role of the account in the path, if the caller may use it, directly or through delegates.
    ///
    /// An unknown account is denied like one without a grant, so that callers do not learn which accounts exist.
    private func target(
        _ name: String,
        _ delegates: [String],
        _ method: IAMMethod,
        _ caller: Principal,
        _ problems: Set<CredentialProblem>
    ) throws(ServiceError) -> Caller.Role {
        var holder = caller
        for delegate in delegates {
            // Plain addresses are accepted, too.
            let name = delegate.trimmingPrefix("projects/-/serviceAccounts/")
            guard holder.isTokenCreator, let role = project.accounts.role(named: String(name)) else {
                throw .deniedByIAM("iam.serviceAccounts.implicitDelegation")
            }
            holder = .account(role)
        }
        guard holder.isTokenCreator, !problems.contains(.iamDenied), !problems.contains(.accountDisabled),
            let role = project.accounts.role(named: name)
        else { throw .deniedByIAM(method.permission) }
        return role
    }

    // MARK: Methods

    private func signJWT(
        _ body: IAMRequestBody,
        as role: Caller.Role,
        at now: Date
    ) throws(ServiceError) -> PlainResponse {
        guard let claims = JSONValue(Array(body.payload.utf8)), case .object = claims else {
            throw .invalidArgument("The payload must be a JSON object of claims.")
        }
        if let expiry = claims["exp"] {
            guard let seconds = expiry.number, seconds == seconds.rounded() else {
                throw .invalidArgument("The exp claim must be an integer.")
            }
            guard seconds > now.timeIntervalSince1970 else { throw .invalidArgument("The exp claim is in the past.") }
            guard seconds <= now.timeIntervalSince1970 + 43_200 else {
                throw .invalidArgument("The exp claim must be no more than 12 hours in the future.")
            }
        }
        let (id, key) = try key(of: role)
        // The payload is signed as it is. A library would decode and encode it again.
        let header = JSONBytes.encode(["alg": "RS256", "kid": id, "typ": "JWT"])
        let input = Base64URL.encode(header) + "." + Base64URL.encode(Array(body.payload.utf8))
        let signature = try sign(Array(input.utf8), with: key)
        return .json([
            ("keyId", .string(id)), ("signedJwt", .string(input + "." + Base64URL.encode(signature))),
        ])
    }

    private func signBlob(_ body: IAMRequestBody, as role: Caller.Role) throws(ServiceError) -> PlainResponse {
        guard let bytes = Data(base64Encoded: body.payload) else {
            throw .invalidArgument("Invalid value at 'payload' (TYPE_BYTES), Base64 decoding failed.")
        }
        let (id, key) = try key(of: role)
        let signature = try sign(Array(bytes), with: key)
        return .json([
            ("keyId", .string(id)), ("signedBlob", .string(Data(signature).base64EncodedString())),
        ])
    }

    private func accessToken(
        _ body: IAMRequestBody,
        for role: Caller.Role,
        at now: Date,
        _ effects: FaultEffects
    ) throws(ServiceError) -> PlainResponse {
        guard !body.scopes.isEmpty, body.scopes.allSatisfy(OAuthScope.isValid) else {
            throw .invalidArgument("Request contains an invalid argument.")
        }
        let token = project.tokens.issue(
            to: .account(role),
            scopes: Set(body.scopes),
            lifetime: effects.token.lifetime ?? body.lifetime,
            at: Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
        )
        return .json([
            ("accessToken", .string(token.text)), ("expireTime", .string(Timestamp.text(token.grant.expires))),
        ])
    }

    /// Returns the generated key of an account with its ID.
    private func key(of role: Caller.Role) throws(ServiceError) -> (id: String, key: _RSA.Signing.PrivateKey) {
        guard let key = project.accounts.generatedKey(of: role) else {
            throw .failedPrecondition(
                "The key of this account was given to the emulator and is valid elsewhere, so the emulator signs no texts "
                    + "of its callers with it."
            )
        }
        return key
    }

    private func sign(_ bytes: [UInt8], with key: _RSA.Signing.PrivateKey) throws(ServiceError) -> [UInt8] {
        do {
            let digest = SHA256.hash(data: Data(bytes))
            return Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
        } catch {
            // The library's error is not useful to clients.
            throw .unavailable
        }
    }
}
