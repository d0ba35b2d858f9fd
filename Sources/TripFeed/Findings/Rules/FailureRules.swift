import Failures
import FleetTokens
import TripModel

/// Polls without an answer.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let failures: [FindingRule] = [
        .poll("pollsFail", .findingPollsFail, .findingPollsFailWhat, .lasting, .info, ["failures", "code"], isLogged: false, pollsFail)
    ]

    /// The number of failed polls in a row that is a warning; a single one also occurs on healthy networks.
    private static let manyFailures = 3

    /// Polls fail; it ends with an answer.
    ///
    /// Refusals and unusable tokens have rules of their own. A trip that was never found is waited for.
    private static func pollsFail(_ step: PollStep) -> Detection? {
        let root = step.report.failure?.origin
        guard let failure = step.report.failure, let root, !root.isOwn, step.tokenFault == nil,
            root.httpStatus != 401, root.httpStatus != 403, step.history.hasAnswer || root.httpStatus != 404
        else { return nil }
        let count = step.history.failureCount
        return Detection(
            .count(count),
            .text(failure.nameInJSON),
            severity: count < manyFailures ? .info : .warning
        )
    }
}

extension Failure {
    /// Whether this program ended the poll.
    fileprivate var isOwn: Bool { [.cancelled, .tokenCancelled, .providerClosed].contains(code) }
}
