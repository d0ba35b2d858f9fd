package import Failures
import FleetTokens
import FleetWire
import TripModel

extension PollFailure {
    /// The failure in the terms of the table, without what is known about earlier answers and about the token.
    package var failure: Failure {
        switch kind {
        case .token(let error, _): error.failure
        case .transport(let error): error
        case .service(let error, _): Failure(error.failureCode)
        case .refusedToken(let error, _, _): Failure(error.httpStatus == 401 ? .unauthorized : .forbidden)
        case .webPage(let status, let title):
            Failure(
                .webPage,
                ["status": .number(status)].merging(title.map { ["said": .text($0)] } ?? [:]) { $1 }
            )
        case .redirected(let status): Failure(.redirected, ["status": .number(status)])
        case .unreadable: Failure(.unreadable)
        case .anotherTrip(let trip): Failure(.anotherTrip, ["answered": .text(trip.rawValue)])
        }
    }

    /// What the table says about it after an earlier answer; `nil` if that makes no difference.
    package var afterAnswer: FailureRow.AfterAnswer? {
        contradictsAnswers ? failure.code.row.afterAnswer : nil
    }

    /// The exit status of a program that ends with this failure.
    package var exitStatus: ExitStatus { cause?.exitStatus ?? afterAnswer?.exit ?? failure.exitStatus }
}

extension ServiceError {
    /// The row of the table.
    fileprivate var failureCode: FailureCode {
        switch httpStatus {
        case 304: .notModified
        case 400: .badRequest
        case 401: isForeign ? .foreignUnauthorized : .unauthorized
        case 403: isForeign ? .foreignForbidden : forbiddenCode
        case 404: isForeign ? .foreignNotFound : .notFound
        case 429: .quotaExceeded
        case 504: .deadlineExceeded
        default: isTemporary ? .serviceUnavailable : .otherStatus
        }
    }

    /// Whether a login names no project that is charged; the number is that of gcloud's own project, which is charged then.
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
