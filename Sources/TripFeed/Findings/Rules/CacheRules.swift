import Failures

/// Answers of caches.
extension FindingRule {
    static let caches: [FindingRule] = [
        .answer("answerCached", .lasting, .warning, ["headers"], advice: .cache, answerCached)
    ]

    /// A cache answered in place of the service, so the answer is as old as the cache says, or older.
    private static func answerCached(_ step: AnswerStep) -> Detection? {
        step.after.cache.map { Detection(.text($0.text)) }
    }
}
