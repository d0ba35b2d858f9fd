import Failures

extension ServiceAnswer {
    /// The row of the table.
    var failureCode: FailureCode {
        switch httpStatus {
        case 304: .notModified
        case 400: .badRequest
        case 401: isForeign ? .foreignUnauthorized : .unauthorized
        case 403: isForeign ? .foreignForbidden : forbiddenCode
        case 404: isForeign ? .foreignNotFound : speaksOfResource ? .notFound : .methodNotFound
        case 429: .quotaExceeded
        case 504: .deadlineExceeded
        default: isTemporary ? .serviceUnavailable : .otherStatus
        }
    }

    /// Whether NOT_FOUND is about what was asked for, not about the method or the path.
    ///
    /// Without a message it is: the status means that an entity was not found (`google.rpc.Code`).
    private var speaksOfResource: Bool {
        guard let message, !message.allSatisfy(\.isWhitespace) else {
            return status == StatusCode.notFound.name || grpcStatus == .notFound
        }
        return MissingResource.isNamed(in: message)
    }

    /// Whether a login names no project that is charged; the number is gcloud's own project, which is charged in this case.
    private var lacksQuotaProject: Bool {
        ["764086051850", "requires a quota project"].contains { message?.contains($0) == true }
    }

    /// Whether the account may not charge the quota project; the message names the permission, too.
    private var mayNotCharge: Bool {
        let permission = "serviceusage.services.use"
        return missingPermission == permission || message?.contains(permission) == true
    }

    private var forbiddenCode: FailureCode {
        switch projectProblem {
        case .apiDisabled where lacksQuotaProject: .quotaProjectMissing
        case .apiDisabled: .apiDisabled
        case .blocked: .projectBlocked
        case .unknown: .projectUnknown
        case nil where mayNotCharge: .quotaProjectForbidden
        case nil: message?.lowercased().contains("scope") == true ? .forbiddenScope : .forbidden
        }
    }
}
