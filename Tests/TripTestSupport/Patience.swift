extension Duration {
    /// How long a test lets a request take that has to be answered.
    ///
    /// All tests share the processors, so that an answer may come late by any time; the limit of the suite ends a hang.
    package static let patience = Duration.seconds(300)
}
