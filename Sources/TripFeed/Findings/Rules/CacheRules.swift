import Failures

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
