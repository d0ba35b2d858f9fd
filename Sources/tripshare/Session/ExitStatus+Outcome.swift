import FleetTokens
import FleetWire
import HTTPTransport
import TripFeed
import TripModel

extension CompletionTracker.Outcome {
    /// The exit status.
    var status: ExitStatus {
        switch self {
        case .done: .done
        case .missed: .expectationFailed
        case .failed(_, let failure): failure.exitStatus
        case .timedOut: .unavailable
        case .interrupted: .interrupted
        }
    }

    /// The exit code of the process.
    var exitCode: Int32 {
        if case .interrupted(let signal) = self { CommandFailure.signal(signal).exitCode } else { status.rawValue }
    }
}

extension ExitStatus {
    /// Creates the exit status for an answer with an HTTP error status.
    init(httpStatus: Int) {
        self =
            switch httpStatus {
            case 401, 403: .notPermitted
            case 404: .notFound
            case 304, 408, 429, 500...: .unavailable
            default: .badConfiguration
            }
    }
}

extension PollFailure {
    /// The exit status of a program that ends with this failure.
    var exitStatus: ExitStatus {
        switch self {
        case .token(_, let refusal?): refusal.exitStatus
        case .token(let error, nil): error.exitStatus
        case .transport(.invalidURL), .transport(.wrongPort), .transport(.unusableProxy): .badConfiguration
        case .afterAnswer(let failure): if case .service = failure { failure.exitStatus } else { .unavailable }
        case .transport, .unreadable, .anotherTrip: .unavailable
        case .webPage, .redirected: .badConfiguration
        case .service(let error, _), .refusedToken(let error, _, _):
            if error.isTemporary {
                .unavailable
            } else if error.httpStatus >= 500 {
                .badConfiguration
            } else {
                ExitStatus(httpStatus: error.httpStatus)
            }
        }
    }
}

extension TokenError {
    /// The exit status of a program that ends with this failure.
    var exitStatus: ExitStatus {
        switch self {
        case .noAuthorizationContext, .closed: .internalError
        case .cancelled: .interrupted
        case .denied(let status, _): status == 404 || status == 410 ? .notFound : .notPermitted
        case .unusable, .rejectedByService, .tooShortLived: .notPermitted
        case .tooManyKeys, .tooManyWaiters: .unavailable
        case .missingData: .badConfiguration
        case .unavailable(let cause, _): cause.exitStatus
        }
    }
}

extension TokenSourceError {
    fileprivate var exitStatus: ExitStatus {
        switch self {
        case .unreachable, .timedOut, .cancelled, .commandFailed, .commandKilled: .unavailable
        case .refusedStatus(let status, _): status == 410 ? .notFound : ExitStatus(httpStatus: status)
        case .redirected, .html, .notJSON, .missingKey, .encodedJSON, .wrongType, .empty, .tooLarge, .invalidURL,
            .insecureURL, .unsupportedContext, .commandNotStarted, .unreadableFile, .missingVariable, .unusableHeader,
            .badKey, .unusableProxy:
            .badConfiguration
        }
    }
}
