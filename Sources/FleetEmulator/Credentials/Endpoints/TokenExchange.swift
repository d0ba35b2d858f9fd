import FleetTokens
import Foundation
import Runtime

/// The security token service: `POST /v1/token` of `sts.googleapis.com`, which exchanges the token of another identity provider
/// for an access token (RFC 8693).
struct TokenExchange: Sendable {
    /// The path below the base URL.
    static let path = "/v1/token"
    private static let grant = "urn:ietf:params:oauth:grant-type:token-exchange"
    private static let accessToken = "urn:ietf:params:oauth:token-type:access_token"
    /// The types of JWTs as subject tokens.
    private static let tokenTypes = [
        "urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:oauth:token-type:id_token",
    ]
    /// The type of a signed AWS request as a subject token.
    static let awsType = "urn:ietf:params:aws:token-type:aws4_request"

    let project: CredentialProject

    /// Answers a request.
    func answer(_ request: PlainRequest, at now: Date, _ effects: FaultEffects) async -> PlainResponse {
        guard request.method == "POST" else { return .error(.methodNotAllowed) }
        do throws(OAuthError) {
            guard let form = FormBody(request.body) else { throw .invalidRequest("The request body is not a form.") }
            return try await exchange(form, at: now, effects)
        } catch {
            return error.response
        }
    }

    private func exchange(
        _ form: FormBody,
        at now: Date,
        _ effects: FaultEffects
    ) async throws(OAuthError) -> PlainResponse {
        guard form["grant_type"] == Self.grant else {
            throw OAuthError(code: "unsupported_grant_type", description: Self.invalid("grant_type"))
        }
        guard form["requested_token_type"] == Self.accessToken else {
            throw .invalidRequest(Self.invalid("requested_token_type"))
        }
        guard let audience = form["audience"], IdentityPool.isName(audience) else {
            throw .invalidRequest(
                Self.invalid("audience") + " This value should be the full resource name of the Identity Provider. See "
                    + "https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token for the list of possible "
                    + "formats."
            )
        }
        guard [IdentityPool.tokens, IdentityPool.aws].contains(audience) else {
            throw OAuthError(
                code: "invalid_target",
                description:
                    "The target service indicated by the \"audience\" parameters is invalid. This might either "
                    + "be because the pool or provider is disabled or deleted or because it doesn't exist."
            )
        }
        guard let type = form["subject_token_type"],
            audience == IdentityPool.aws ? type == Self.awsType : Self.tokenTypes.contains(type)
        else { throw .invalidRequest(Self.invalid("subject_token_type")) }
        guard let subject = form["subject_token"] else { throw .invalidRequest(Self.invalid("subject_token")) }
        let scopes = OAuthScope.set(form["scope"] ?? "")
        guard !scopes.isEmpty, scopes.allSatisfy(OAuthScope.isValid) else {
            throw .invalidScope("Empty or missing scope not allowed.")
        }
        try await check(subject, audience, at: now, effects.problems)
        let token = project.tokens.issue(to: .workload, scopes: scopes, lifetime: effects.token.lifetime, at: now)
        return .json([
            ("access_token", .string(token.text)),
            ("issued_token_type", .string(Self.accessToken)),
            ("token_type", .string("Bearer")),
            ("expires_in", .number(token.grant.expires.timeIntervalSince(now).rounded(.down))),
        ])
    }

    /// Checks a subject token, and the attribute condition of its provider.
    private func check(
        _ subject: String,
        _ audience: String,
        at now: Date,
        _ problems: Set<CredentialProblem>
    ) async throws(OAuthError) {
        var isAccepted = !problems.contains(.attributeCondition)
        if audience == IdentityPool.aws {
            if problems.contains(.staleSubject) { throw AWSIdentityRequest.expired(at: now) }
            try AWSIdentityRequest(subject).check(project.aws, at: now)
        } else if try await !project.subjects.check(subject, at: now, problems) {
            isAccepted = false
        }
        guard isAccepted else {
            throw OAuthError(
                code: "unauthorized_client",
                description: "The given credential is rejected by the attribute condition."
            )
        }
    }

    private static func invalid(_ parameter: String) -> String { "Invalid value for \"\(parameter)\"." }
}
