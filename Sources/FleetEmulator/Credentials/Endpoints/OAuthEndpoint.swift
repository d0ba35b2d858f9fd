import Foundation
import Runtime

/// The OAuth token endpoint: `POST /token` of `oauth2.googleapis.com`, and `POST /v1/oauthtoken` of `sts.googleapis.com`.
///
/// It grants access tokens for the refresh token of a person and for an assertion signed with the key of a service account.
struct OAuthEndpoint: Sendable {
    /// The grant type of a signed assertion (RFC 7523).
    static let assertionGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// The path below the base URL.
    static let path = "/token"
    /// The path at which persons of a workforce pool refresh their tokens.
    static let workforcePath = "/v1/oauthtoken"

    let project: CredentialProject

    /// Answers a request.
    func answer(_ request: PlainRequest, at now: Date, _ effects: FaultEffects) async -> PlainResponse {
        guard request.method == "POST" else { return .error(.methodNotAllowed) }
        do throws(OAuthError) {
            guard let form = FormBody(request.body) else { throw .invalidRequest("The request body is not a form.") }
            switch form["grant_type"] {
            case "refresh_token": return try refresh(form, request, at: now, effects)
            case Self.assertionGrant: return try await exchange(form, request, at: now, effects)
            case nil: throw .invalidRequest("Required parameter is missing: grant_type")
            case let type?:
                throw OAuthError(code: "unsupported_grant_type", description: "Invalid grant_type: \(type.prefix(100))")
            }
        } catch {
            return error.response
        }
    }

    // MARK: Refresh tokens

    private func refresh(
        _ form: FormBody,
        _ request: PlainRequest,
        at now: Date,
        _ effects: FaultEffects
    ) throws(OAuthError) -> PlainResponse {
        let client = BasicCredentials(header: request.authorization)
        guard let id = client?.user ?? form["client_id"] else {
            throw .invalidRequest("Could not determine client ID from request.")
        }
        guard let login = [project.user, project.workforceUser].first(where: { $0.clientID == id }) else {
            throw .invalidClient("The OAuth client was not found.")
        }
        guard (client?.password ?? form["client_secret"]) == login.clientSecret else {
            throw .invalidClient("Unauthorized")
        }
        guard let token = form["refresh_token"] else {
            throw .invalidRequest("Missing required parameter: refresh_token")
        }
        if effects.problems.contains(.reauthentication) {
            var error = OAuthError.invalidGrant("reauth related error (invalid_rapt)")
            error.subtype = "invalid_rapt"
            throw error
        }
        guard token == login.refreshToken, !effects.problems.contains(.accountDisabled) else {
            throw .invalidGrant("Token has been expired or revoked.")
        }
        let scopes = form["scope"].map(OAuthScope.set) ?? OAuthScope.ofUser
        guard scopes.isSubset(of: OAuthScope.ofUser.union([OAuthScope.iam])) else {
            throw .invalidScope("Some requested scopes were invalid or were not granted by the user.")
        }
        return issue(to: login.principal, scopes, at: now, effects)
    }

    // MARK: Assertions

    private func exchange(
        _ form: FormBody,
        _ request: PlainRequest,
        at now: Date,
        _ effects: FaultEffects
    ) async throws(OAuthError) -> PlainResponse {
        guard let assertion = form["assertion"] else { throw .invalidRequest("Missing required parameter: assertion") }
        let check = ServiceAccountAssertion(
            accounts: project.accounts,
            ownURL: request.headers["host"].map { "http://\($0)\(Self.path)" },
            problems: effects.problems
        )
        let (role, scopes) = try await check.account(of: assertion, at: now)
        return issue(to: .account(role), scopes, at: now, effects)
    }

    private func issue(
        to principal: Principal,
        _ scopes: Set<String>,
        at now: Date,
        _ effects: FaultEffects
    ) -> PlainResponse {
        let token = project.tokens.issue(to: principal, scopes: scopes, lifetime: effects.token.lifetime, at: now)
        var members: [(String, JSONValue)] = [
            ("access_token", .string(token.text)),
            ("expires_in", .number(token.grant.expires.timeIntervalSince(now).rounded(.down))),
            ("token_type", .string("Bearer")),
        ]
        // Google reports the granted scopes for persons only.
        if principal == .user { members.append(("scope", .string(scopes.sorted().joined(separator: " ")))) }
        return .json(members)
    }
}

/// The client's ID and secret in an `Authorization` header (RFC 7617).
private struct BasicCredentials {
    var user: String
    var password: String

    /// Parses a header; `nil` if it has another form.
    init?(header: String?) {
        guard let header, header.lowercased().hasPrefix("basic "),
            let bytes = Data(base64Encoded: String(header.dropFirst(6))),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        (user, password) = (String(parts[0]), String(parts[1]))
    }
}

/// The fields of a form (`application/x-www-form-urlencoded`).
struct FormBody: Sendable {
    /// The maximum number of fields that are read.
    private static let limit = 50

    private var fields: [String: String] = [:]

    /// Parses a body; `nil` if it is not a form.
    init?(_ body: [UInt8]) {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        for field in text.split(separator: "&").prefix(Self.limit) {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0]), let value = Self.decoded(pair.count > 1 ? pair[1] : "") else {
                return nil
            }
            fields[name] = value
        }
    }

    /// The value of a field; `nil` if it is absent or empty.
    subscript(name: String) -> String? {
        guard let value = fields[name], !value.isEmpty else { return nil }
        return value
    }

    private static func decoded(_ text: Substring) -> String? {
        PercentEncoding.decode(text.replacing("+", with: " ")[...])
    }
}
