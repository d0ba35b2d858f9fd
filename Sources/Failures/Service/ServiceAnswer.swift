/// What a client reads of an error answer of the service, or of a gateway or a proxy in front of it.
package struct ServiceAnswer: Sendable, Equatable {
    /// The maximum number of scalars of a message.
    package static let longestMessage = 2000

    /// The HTTP status; over gRPC, the status of the same error over REST.
    package var httpStatus: Int
    /// The status number of an answer over gRPC; `nil` over REST.
    package var grpcStatus: StatusCode?
    /// The gRPC status, such as `PERMISSION_DENIED`; `nil` if the body is not in Google's format (for example a proxy's page).
    package var status: String?
    /// The service's message; untrusted text.
    package var message: String?
    /// The wait that the service requests, from a `RetryInfo` detail.
    package var retryDelay: Duration?
    /// The IAM permission that the caller lacks, from an `ErrorInfo` detail.
    package var missingPermission: String?
    /// The reasons of `ErrorInfo` details; with one, the message need not say why.
    package var reasons: [String] = []
    /// What is wrong with the request: the fields of a `BadRequest` detail and the conditions of a `PreconditionFailure` detail.
    package var violations: [Violation] = []

    /// A value that is not valid, or a condition that does not hold.
    package struct Violation: Sendable, Equatable {
        /// The path of the field, or what does not fulfill the condition; empty if the service names none.
        package let subject: String
        /// What is wrong with it, in the words of the service.
        package let description: String

        /// Bounds and cleans untrusted texts.
        package init(_ subject: String, _ description: String) {
            self.subject = EvidenceText.line(subject, limit: 100)
            self.description = EvidenceText.line(description, limit: 200)
        }
    }

    /// The maximum number of violations that are stored.
    package static let mostViolations = 3
}

extension ServiceAnswer {
    /// Whether the answer is not in Google's format, so that a gateway or a proxy has sent it.
    package var isForeign: Bool { status == nil && grpcStatus == nil }

    /// Whether the service may answer the same request soon: after an outage, an overload or a conflict.
    package var isTemporary: Bool {
        switch httpStatus {
        // An unknown method (501, UNIMPLEMENTED) stays unknown.
        case 408, 429, 499, 500, 502...: true
        case 409: status == StatusCode.aborted.name
        default: false
        }
    }

    /// The problem of the Cloud project that a 403 reports; `nil` for other refusals.
    package var projectProblem: ProjectProblem? {
        guard httpStatus == 403 else { return nil }
        guard reasons.isEmpty else { return errorReason?.problem }
        return message.flatMap(ProjectProblem.init(message:))
    }

    /// The service's message, with the values that were wrong if it does not name them.
    package var explanation: String? {
        let text = message ?? ""
        let rest = violations.map { violation in
            [violation.subject, violation.description].filter { !$0.isEmpty && !text.contains($0) }.joined(
                separator: ": "
            )
        }
        let parts = ([text] + rest).filter { !$0.isEmpty }
        return parts.isEmpty ? message : parts.joined(separator: " · ")
    }

    /// The name for programs: the gRPC status if the service sent one.
    package var name: String { status ?? "HTTP_\(httpStatus)" }
}
