import FleetWire
import Runtime

/// The refusals of Google's front end and of IAM, with their reasons.
extension ServiceError {
    private static let expectedCredential =
        "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
        + "See https://developers.google.com/identity/sign-in/web/devconsole-project."

    /// A token that was never issued.
    static let invalidCredentials = unauthenticated(
        "Request had invalid authentication credentials. " + expectedCredential
    )

    /// A call without a token.
    static func credentialsMissing(service: String, method: String) -> Self {
        var error = unauthenticated("Request is missing required authentication credential. " + expectedCredential)
        error.cause = Cause("CREDENTIALS_MISSING", metadata: ["service": service, "method": method])
        return error
    }

    /// An access token after its expiry.
    static func accessTokenExpired(service: String) -> Self {
        var error = invalidCredentials
        error.cause = Cause("ACCESS_TOKEN_EXPIRED", metadata: ["service": service])
        return error
    }

    /// A token whose OAuth scopes do not cover the API.
    static func insufficientScopes(service: String) -> Self {
        var error = permissionDenied("Request had insufficient authentication scopes.")
        error.cause = Cause("ACCESS_TOKEN_SCOPE_INSUFFICIENT", metadata: ["service": service])
        return error
    }

    /// A person's token without a project that pays: the call counts for the project of gcloud's OAuth client.
    static func noQuotaProject(service: String) -> Self {
        var error = permissionDenied(
            "Your application is authenticating by using local Application Default Credentials. The \(service) API "
                + "requires a quota project, which is not set by default. To learn how to set your quota project, see "
                + "https://cloud.google.com/docs/authentication/adc-troubleshooting/user-creds ."
        )
        error.cause = Cause("SERVICE_DISABLED", metadata: ["service": service, "consumer": "projects/764086051850"])
        return error
    }

    /// A quota project that the caller may not use.
    static func userProjectDenied(_ project: String, service: String) -> Self {
        let project = String(project.prefix(100))
        var error = permissionDenied(
            "Caller does not have required permission to use project \(project). Grant the caller the "
                + "roles/serviceusage.serviceUsageConsumer role, or a custom role with the serviceusage.services.use "
                + "permission, by visiting https://console.developers.google.com/iam-admin/iam/project?project="
                + "\(project) and then retry. Propagation of the new permission may take a few minutes."
        )
        error.cause = Cause(
            "USER_PROJECT_DENIED",
            metadata: ["service": service, "consumer": "projects/\(project)"],
            helpURL: "https://console.developers.google.com/iam-admin/iam/project?project=\(project)",
            helpText: "Google developer console IAM admin"
        )
        return error
    }

    /// An API that is not enabled in the caller's project.
    static func serviceDisabled(_ service: String, title: String, project: String) -> Self {
        let page = "https://console.developers.google.com/apis/api/\(service)/overview?project=\(project)"
        var error = permissionDenied(
            "\(title) has not been used in project \(project) before or it is disabled. Enable it by visiting \(page) "
                + "then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our "
                + "systems and retry."
        )
        error.cause = Cause(
            "SERVICE_DISABLED",
            metadata: ["service": service, "consumer": "projects/\(project)"],
            helpURL: page,
            helpText: "Google developers console API activation"
        )
        return error
    }

    /// A permission on a service account that the caller lacks, or an account that does not exist.
    static func deniedByIAM(_ permission: String) -> Self {
        var error = permissionDenied(
            "Permission '\(permission)' denied on resource (or it may not exist)."
        )
        error.cause = Cause("IAM_PERMISSION_DENIED", domain: "iam.googleapis.com", metadata: ["permission": permission])
        return error
    }
}

/// What a fault of the credential endpoints makes wrong.
enum CredentialProblem: Sendable, Hashable {
    /// The metadata server has no service account.
    case noAccount
    /// IAM denies the permission.
    case iamDenied
    /// The API of IAM Service Account Credentials is not enabled.
    case iamDisabled
    /// The service account or the person is disabled.
    case accountDisabled
    /// The account's key is deleted.
    case keyDeleted
    /// A person has to sign in again.
    case reauthentication
    /// The metadata server's tokens have the default scopes of a virtual machine.
    case narrowScopes
    /// The metadata server's answers lack their header, like the answers of a proxy.
    case noMetadataHeader
    /// The attribute condition of the workload identity pool rejects the subject.
    case attributeCondition
    /// The subject token is too old.
    case staleSubject
}

/// An error answer of an OAuth token endpoint (RFC 6749, 5.2).
struct OAuthError: Error, Sendable, Equatable {
    /// The HTTP status.
    var status = 400
    /// The error code.
    var code: String
    /// The description; `nil` for none.
    var description: String?
    /// Google's addition about sign-in policies; `nil` for none.
    var subtype: String?

    static func invalidGrant(_ description: String) -> Self { Self(code: "invalid_grant", description: description) }
    static func invalidScope(_ description: String) -> Self { Self(code: "invalid_scope", description: description) }
    static func invalidRequest(_ description: String) -> Self {
        Self(code: "invalid_request", description: description)
    }
    static func invalidClient(_ description: String) -> Self {
        Self(status: 401, code: "invalid_client", description: description)
    }

    /// The answer.
    var response: PlainResponse {
        var members: [(String, JSONValue)] = [("error", .string(code))]
        if let description { members.append(("error_description", .string(description))) }
        if let subtype {
            members.append(("error_subtype", .string(subtype)))
            members.append(("error_uri", .string("https://support.google.com/a/answer/9368756")))
        }
        return .json(members, status: status)
    }
}

extension PlainResponse {
    /// Creates an answer that is a JSON object.
    static func json(_ members: [(String, JSONValue)], status: Int = 200) -> PlainResponse {
        let object = JSONValue.object(members.map { JSONValue.Member(key: $0.0, value: $0.1) })
        return PlainResponse(status: status, body: JSONBytes.encode(object))
    }
}
