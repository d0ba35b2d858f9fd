/// What a client reads of an error answer of the service, or of a gateway or a proxy in front of it.
package struct ServiceAnswer: Sendable, Equatable {
    /// The maximum number of scalars of a message.
    package static let longestMessage = 2000

    /// The HTTP status; over gRPC that of the same error over REST.
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

    package init(
        httpStatus: Int,
        grpcStatus: StatusCode? = nil,
        status: String? = nil,
        message: String? = nil,
        retryDelay: Duration? = nil
    ) {
        (self.httpStatus, self.grpcStatus, self.status) = (httpStatus, grpcStatus, status)
        (self.message, self.retryDelay) = (message, retryDelay)
    }
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

    /// The name for programs: the gRPC status if the service sent one.
    package var name: String { status ?? "HTTP_\(httpStatus)" }
}
