extension Duration {
    /// The timeout of requests in tests that expect an answer.
    ///
    /// All tests share the processors, so that an answer may be late by any time. The time limit of the suite ends a
    /// hang.
    package static let testTimeout = Duration.seconds(300)
}
