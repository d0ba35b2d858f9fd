import Failures
import FleetWire
import Foundation
import Runtime
import Synchronization
import TripModel

/// The metadata server of Google Compute Engine, whose default service account has the role `ondemandAdmin`.
final class MetadataServer: Sendable {
    /// The header that requests must have, and that distinguishes its answers from a proxy's.
    private static let flavor = (name: "metadata-flavor", value: "Google")
    private static let forwarded = "x-forwarded-for"
    /// The headers that it reads.
    static let readHeaders = [flavor.name, forwarded]
    /// The remaining lifetime below which a new token is issued, in seconds.
    private static let renewal = 240.0
    /// The maximum number of combinations of scopes whose tokens are stored.
    private static let limit = 16

    private let project: CredentialProject
    private let role = Caller.Role.ondemandAdmin
    /// The last token for each list of scopes.
    private let tokens = Mutex<[Set<String>: AccessTokens.Issued]>([:])

    init(project: CredentialProject) {
        self.project = project
    }

    /// Answers a request.
    func answer(_ request: PlainRequest, at now: Date, _ effects: FaultEffects) -> PlainResponse {
        var response = response(to: request, at: now, effects)
        if !effects.problems.contains(.noMetadataHeader) { response.headers.append(Self.flavor) }
        return response
    }

    private func response(to request: PlainRequest, at now: Date, _ effects: FaultEffects) -> PlainResponse {
        guard request.method == "GET" else { return .text("Method Not Allowed", status: 405) }
        guard request.headers[Self.flavor.name] == Self.flavor.value else {
            return .text("Missing required header \"Metadata-Flavor: Google\".", status: 403)
        }
        guard request.headers[Self.forwarded] == nil else {
            return .text("Requests with the header X-Forwarded-For are refused.", status: 403)
        }
        let path = request.segments.filter { !$0.isEmpty }
        guard !path.isEmpty else { return .metadata("computeMetadata/\n") }
        guard path.starts(with: ["computeMetadata", "v1"]) else { return .text("Not Found", status: 404) }
        switch path.dropFirst(2).joined(separator: "/") {
        case "": return .metadata("instance/\nproject/\nuniverse/\n")
        case "project/project-id": return .metadata(project.id)
        case "project/numeric-project-id": return .metadata(CredentialProject.number)
        case "universe/universe-domain": return .metadata("googleapis.com")
        default:
            guard path.count > 3, path[2] == "instance", path[3] == "service-accounts" else {
                return .text("Not Found", status: 404)
            }
            return account(Array(path.dropFirst(4)), request, at: now, effects)
        }
    }

    // MARK: The service account

    private func account(
        _ path: [String],
        _ request: PlainRequest,
        at now: Date,
        _ effects: FaultEffects
    ) -> PlainResponse {
        let email = project.accounts.address(of: role)
        guard !effects.problems.contains(.noAccount) else { return .text("Not Found", status: 404) }
        guard let name = path.first else { return .metadata("default/\n\(email)/\n") }
        guard ["default", email].contains(name) else { return .text("Not Found", status: 404) }
        let scopes = effects.problems.contains(.narrowScopes) ? OAuthScope.ofVirtualMachine : [OAuthScope.cloudPlatform]
        switch path.dropFirst().joined(separator: "/") {
        case "":
            guard request.parameter("recursive")?.lowercased() == "true" else {
                return .metadata("aliases\nemail\nscopes\ntoken\n")
            }
            return .json([
                ("aliases", .array([.string("default")])), ("email", .string(email)),
                ("scopes", .array(scopes.sorted().map { .string($0) })),
            ])
        case "email": return .metadata(email)
        case "scopes": return .metadata(scopes.sorted().map { $0 + "\n" }.joined())
        case "token": return token(request, scopes, at: now, effects)
        default: return .text("Not Found", status: 404)
        }
    }

    private func token(
        _ request: PlainRequest,
        _ scopes: Set<String>,
        at now: Date,
        _ effects: FaultEffects
    ) -> PlainResponse {
        if let denial = denial(effects.problems) { return .text(denial, status: 403) }
        var granted = scopes
        // A serverless platform issues tokens with the requested scopes, a virtual machine with its own.
        if let requested = request.parameter("scopes"), !effects.problems.contains(.narrowScopes) {
            granted = OAuthScope.set(requested.replacing(",", with: " "))
        }
        guard !granted.isEmpty, granted.allSatisfy(OAuthScope.isValid) else {
            return .text("Invalid scopes", status: 400)
        }
        let token = tokens.withLock { tokens in
            let last = tokens[granted]
            if let last, effects.token.lifetime == nil, last.grant.expires.timeIntervalSince(now) > Self.renewal,
                last.grant.expires <= now.addingTimeInterval(AccessTokens.lifetime.seconds),
                project.tokens[last.text[...]] != nil
            {
                return last
            }
            let lifetime = effects.token.lifetime
            let new = project.tokens.issue(to: .account(role), scopes: granted, lifetime: lifetime, at: now)
            if tokens.count >= Self.limit { tokens = [:] }
            tokens[granted] = new
            return new
        }
        return .json([
            ("access_token", .string(token.text)),
            ("expires_in", .number(token.grant.expires.timeIntervalSince(now).rounded(.down))),
            ("token_type", .string("Bearer")),
        ])
    }

    /// The answer of GKE if IAM refuses the token: the words of IAM are the cause.
    private func denial(_ problems: Set<CredentialProblem>) -> String? {
        let cause: ServiceError
        if problems.contains(.iamDisabled) {
            cause = .serviceDisabled(
                IAMCredentials.service,
                title: "IAM Service Account Credentials API",
                project: CredentialProject.number
            )
        } else if problems.contains(.iamDenied) {
            cause = .deniedByIAM("iam.serviceAccounts.getAccessToken")
        } else {
            return nil
        }
        return "Unable to generate access token; IAM returned 403 Forbidden: \(cause.answer.message ?? "")\n"
            + "This error could be caused by a missing IAM policy binding on the target IAM service account."
    }
}

extension PlainResponse {
    /// Creates an answer of the metadata server that is no JSON.
    fileprivate static func metadata(_ text: String) -> PlainResponse {
        PlainResponse(status: 200, body: Array(text.utf8), headers: [("content-type", "application/text")])
    }
}
