package import Failures
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

/// Answers of caches.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let caches: [FindingRule] = [
        .answer("answerCached", .findingAnswerCached, .findingAnswerCachedWhat, .lasting, .warning, ["headers"], advice: .adviceCache, answerCached)
    ]

    /// A cache answered in place of the service, so the answer is as old as the cache says, or older.
    private static func answerCached(_ step: AnswerStep) -> Detection? {
        step.after.cache.map { Detection(.text($0.text)) }
    }
}

/// The times of answers.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let clocks: [FindingRule] = [
        .answer("answerOutdated", .findingAnswerOutdated, .findingAnswerOutdatedWhat, .event, .warning, ["soFar"], advice: .adviceCache, answerOutdated),
        .answer(
            "clocksDiffer", .findingClocksDiffer, .findingClocksDifferWhat,
            .lasting,
            .warning,
            ["offset", "clock"],
            limits: [.clockOffset],
            advice: .adviceClock,
            clocksDiffer
        ),
    ]

    /// An answer is older than a previous one.
    private static func answerOutdated(_ step: AnswerStep) -> Detection? {
        let count = step.after.outdatedAnswers
        return count > step.before?.outdatedAnswers ?? 0 ? Detection(.count(count)) : nil
    }

    /// The service's clock differs from the local clock.
    private static func clocksDiffer(_ step: AnswerStep) -> Detection? {
        let offset = step.after.clockOffset.seconds
        guard abs(offset) > step.limits[.clockOffset] else { return nil }
        let isService = if case .service = step.clocks { true } else { false }
        return Detection(.seconds(offset), isService ? .text(Finding.serviceClock) : nil)
    }
}

extension Finding {
    /// The value of the evidence `clock` if the service's clock is wrong.
    fileprivate static let serviceClock = "service"

    /// What to check next; `nil` if the sentence says it all.
    package var advice: TextKey? {
        evidence.contains(Evidence("clock", .text(Self.serviceClock))) ? .adviceServiceClock : rule.advice
    }
}

extension FindingLimit {
    static let clockOffset = seconds("clockOffset", 5, "two clocks differ by more than this")
}
