package import Failures
import Runtime
import TripModel

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
