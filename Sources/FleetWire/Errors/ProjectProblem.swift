/// The problem of a Cloud project for which the service refuses every caller.
package enum ProjectProblem: Sendable, Equatable {
    /// The API is not enabled.
    case apiDisabled
    /// The project has no billing, is suspended, or a policy of its organization forbids the call.
    case blocked

    /// Creates the problem of an `ErrorInfo` reason (`google.api.ErrorReason`); `nil` if it is not about the project.
    init?(reason: String) {
        switch reason {
        case "SERVICE_DISABLED": self = .apiDisabled
        case "BILLING_DISABLED", "CONSUMER_SUSPENDED", "CONSUMER_INVALID", "RESOURCE_PROJECT_INVALID",
            "SECURITY_POLICY_VIOLATED", "ORG_RESTRICTION_VIOLATION", "LOCATION_ORG_POLICY_VIOLATED":
            self = .blocked
        default: return nil
        }
    }

    /// Creates the problem that a message describes; `nil` if it describes none.
    init?(message: String) {
        let words = message.lowercased()
        if ["billing", "suspended", "organization policy", "organization's policy"].contains(where: words.contains) {
            self = .blocked
        } else if ["not been used", "disabled", "not enabled"].contains(where: words.contains) {
            self = .apiDisabled
        } else {
            return nil
        }
    }
}

extension ServiceError {
    /// The problem of the Cloud project that a 403 reports; `nil` for other refusals.
    package var projectProblem: ProjectProblem? {
        httpStatus == 403 ? reportedProblem ?? message.flatMap(ProjectProblem.init(message:)) : nil
    }
}
