import Failures
import FleetTokens
import Runtime
import TripModel

/// Polls and the service's refusals.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let polls: [FindingRule] = [
        .poll("pollsOverlap", .findingPollsOverlap, .findingPollsOverlapWhat, .event, .error, ["by"], pollsOverlap),
        .poll("noBackOff", .findingNoBackOff, .findingNoBackOffWhat, .lasting, .warning, ["failures", "within"], noBackoff),
        .poll(
            "serviceRefuses", .findingServiceRefuses, .findingServiceRefusesWhat,
            .lasting,
            .error,
            ["status", "code", "message"],
            advice: .adviceTokenView,
            isLogged: false,
            serviceRefuses
        ),
    ]

    /// Two requests for one trip overlapped.
    private static func pollsOverlap(_ step: PollStep) -> Detection? {
        step.history.overlap.map { Detection(.seconds($0.seconds)) }
    }

    /// Failures were retried without a delay: too many within one interval.
    private static func noBackoff(_ step: PollStep) -> Detection? {
        let failures = step.history.failures
        guard failures.count == PollHistory.maximumFailures, let first = failures.first, let last = failures.last,
            last - first < step.interval
        else { return nil }
        return Detection(.count(failures.count), .seconds((last - first).seconds))
    }

    /// The service refused the trip or the token: 401 or 403.
    ///
    /// A single 401 may be a token that expired in transit, so only a 403 is an error.
    private static func serviceRefuses(_ step: PollStep) -> Detection? {
        guard let error = step.report.failure?.origin.answer, error.httpStatus == 401 || error.httpStatus == 403 else {
            return nil
        }
        return Detection(
            // Over gRPC the name is the status.
            error.grpcStatus == nil ? .count(error.httpStatus) : nil,
            error.status.map { .text($0) },
            error.message.map { .text($0) },
            severity: error.httpStatus == 403 ? .error : .warning
        )
    }
}
