import TripModel

/// The times of answers.
extension FindingRule {
    static let clocks: [FindingRule] = [
        .answer("answerOutdated", .event, .warning, ["soFar"], advice: .cache, answerOutdated),
        .answer("clocksDiffer", .lasting, .warning, ["offset"], limits: [.clockOffset], advice: .clock, clocksDiffer),
    ]

    /// An answer is older than a previous one.
    private static func answerOutdated(_ step: AnswerStep) -> Detection? {
        let count = step.after.outdatedAnswers
        return count > step.before?.outdatedAnswers ?? 0 ? Detection(.count(count)) : nil
    }

    /// The service's clock differs from the local clock.
    private static func clocksDiffer(_ step: AnswerStep) -> Detection? {
        let offset = step.after.clockOffset.seconds
        return abs(offset) > step.limits[.clockOffset] ? Detection(.seconds(offset)) : nil
    }
}

extension FindingLimit {
    static let clockOffset = seconds("clockOffset", 5, "two clocks differ by more than this")
}
