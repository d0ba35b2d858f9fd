/// The reasons of `google.api.ErrorReason`, the closed list with which Google's services explain a refusal in an `ErrorInfo` detail.
package enum ErrorReason: String, Sendable, CaseIterable {
    case serviceDisabled = "SERVICE_DISABLED"
    case billingDisabled = "BILLING_DISABLED"
    case apiKeyInvalid = "API_KEY_INVALID"
    case apiKeyServiceBlocked = "API_KEY_SERVICE_BLOCKED"
    case rateLimitExceeded = "RATE_LIMIT_EXCEEDED"
    case resourceQuotaExceeded = "RESOURCE_QUOTA_EXCEEDED"
    case apiKeyReferrerBlocked = "API_KEY_HTTP_REFERRER_BLOCKED"
    case apiKeyAddressBlocked = "API_KEY_IP_ADDRESS_BLOCKED"
    case apiKeyAndroidAppBlocked = "API_KEY_ANDROID_APP_BLOCKED"
    case locationTaxPolicyViolated = "LOCATION_TAX_POLICY_VIOLATED"
    case userProjectDenied = "USER_PROJECT_DENIED"
    case consumerSuspended = "CONSUMER_SUSPENDED"
    case apiKeyIOSAppBlocked = "API_KEY_IOS_APP_BLOCKED"
    case consumerInvalid = "CONSUMER_INVALID"
    case securityPolicyViolated = "SECURITY_POLICY_VIOLATED"
    case accessTokenExpired = "ACCESS_TOKEN_EXPIRED"
    case accessTokenScopeInsufficient = "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    case accountStateInvalid = "ACCOUNT_STATE_INVALID"
    case accessTokenTypeUnsupported = "ACCESS_TOKEN_TYPE_UNSUPPORTED"
    case credentialsMissing = "CREDENTIALS_MISSING"
    case resourceProjectInvalid = "RESOURCE_PROJECT_INVALID"
    case sessionCookieInvalid = "SESSION_COOKIE_INVALID"
    case userBlockedByAdmin = "USER_BLOCKED_BY_ADMIN"
    case resourceUsageRestrictionViolated = "RESOURCE_USAGE_RESTRICTION_VIOLATED"
    case systemParameterUnsupported = "SYSTEM_PARAMETER_UNSUPPORTED"
    case orgRestrictionViolation = "ORG_RESTRICTION_VIOLATION"
    case orgRestrictionHeaderInvalid = "ORG_RESTRICTION_HEADER_INVALID"
    case serviceNotVisible = "SERVICE_NOT_VISIBLE"
    case projectSuspended = "GCP_SUSPENDED"
    case locationPolicyViolated = "LOCATION_POLICY_VIOLATED"
    case missingOrigin = "MISSING_ORIGIN"
    case overloadedCredentials = "OVERLOADED_CREDENTIALS"
    case locationOrgPolicyViolated = "LOCATION_ORG_POLICY_VIOLATED"
    case tlsOrgPolicyViolated = "TLS_ORG_POLICY_VIOLATED"
    case emulatorQuotaExceeded = "EMULATOR_QUOTA_EXCEEDED"
    case credentialAndroidAppInvalid = "CREDENTIAL_ANDROID_APP_INVALID"
    case iamPermissionDenied = "IAM_PERMISSION_DENIED"
    case jwtInvalid = "JWT_TOKEN_INVALID"
    case credentialTypeUnsupported = "CREDENTIAL_TYPE_UNSUPPORTED"
    case accountTypeUnsupported = "ACCOUNT_TYPE_UNSUPPORTED"
    case endpointUsageRestrictionViolated = "ENDPOINT_USAGE_RESTRICTION_VIOLATED"
    case tlsCipherRestrictionViolated = "TLS_CIPHER_RESTRICTION_VIOLATED"
    case mcpServerDisabled = "MCP_SERVER_DISABLED"

    /// The party that must act.
    package var party: Party { row.party }
    /// The problem of the Cloud project; `nil` if it is another problem.
    package var problem: ProjectProblem? { row.problem }

    private typealias Row = (party: Party, problem: ProjectProblem?)

    private var row: Row {
        switch self {
        // The configuration of the project or of its organization.
        case .serviceDisabled, .serviceNotVisible: (.serviceConfiguration, .apiDisabled)
        case .billingDisabled, .consumerSuspended, .projectSuspended, .securityPolicyViolated,
            .resourceUsageRestrictionViolated, .locationPolicyViolated, .locationOrgPolicyViolated,
            .locationTaxPolicyViolated, .tlsOrgPolicyViolated, .tlsCipherRestrictionViolated,
            .endpointUsageRestrictionViolated:
            (.serviceConfiguration, .blocked)
        case .consumerInvalid, .resourceProjectInvalid: (.serviceConfiguration, .unknown)
        case .rateLimitExceeded, .resourceQuotaExceeded, .emulatorQuotaExceeded, .mcpServerDisabled:
            (.serviceConfiguration, nil)
        // The account that signs, and its rights.
        case .iamPermissionDenied: (.serviceAccount, nil)
        case .userProjectDenied, .accessTokenScopeInsufficient, .accountStateInvalid, .accountTypeUnsupported,
            .userBlockedByAdmin:
            (.serviceAccount, nil)
        // What the source of tokens gave.
        case .accessTokenExpired: (.tokenEndpoint, nil)
        case .accessTokenTypeUnsupported, .credentialTypeUnsupported, .credentialsMissing, .sessionCookieInvalid,
            .overloadedCredentials, .jwtInvalid, .credentialAndroidAppInvalid, .apiKeyInvalid, .apiKeyServiceBlocked,
            .apiKeyReferrerBlocked, .apiKeyAddressBlocked, .apiKeyAndroidAppBlocked, .apiKeyIOSAppBlocked:
            (.tokenEndpoint, nil)
        // A proxy adds the header with the organizations that its users may reach.
        case .orgRestrictionViolation, .orgRestrictionHeaderInvalid: (.network, nil)
        // This program chooses the parameters and headers of a request.
        case .systemParameterUnsupported, .missingOrigin: (.commandLine, nil)
        }
    }
}

extension ServiceAnswer {
    /// The first reason that Google's list has; `nil` without one.
    package var errorReason: ErrorReason? { reasons.lazy.compactMap(ErrorReason.init).first }
}

extension Failure {
    /// The reason that the service names; `nil` if the code says more, as about the project to which calls are charged.
    package var namedReason: ErrorReason? {
        [.quotaProjectMissing, .quotaProjectForbidden].contains(code) ? nil : answer?.errorReason
    }
}

/// The problem of a Cloud project for which the service refuses calls, whatever the token.
package enum ProjectProblem: Sendable, Equatable {
    /// The API is not enabled.
    case apiDisabled
    /// The project has no billing, is suspended, or a policy of its organization forbids the call.
    case blocked
    /// The project does not exist.
    case unknown

    /// Creates the problem that a message describes; `nil` if it describes none.
    ///
    /// A message may have names of resources, so that whole phrases count.
    init?(message: String) {
        let words = message.lowercased()
        func has(_ phrases: String...) -> Bool { phrases.contains(where: words.contains) }
        if has("requires billing", "billing to be enabled", "billing is disabled", "has been suspended") {
            self = .blocked
        } else if has("organization policy", "organization's policy", "organization's constraints") {
            self = .blocked
        } else if has("not been used in project", "it is disabled", "api is disabled", "is not enabled") {
            self = .apiDisabled
        } else {
            return nil
        }
    }
}
