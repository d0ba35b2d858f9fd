import FleetTokens

/// Gets a token from an environment variable, which cannot change while the program runs.
struct EnvironmentTokenSource: TokenSource {
    /// `environment`.
    let name = "environment"

    private let variable: String
    private let environment: @Sendable () -> [String: String]
    private let format: TokenAnswerFormat

    /// Creates a source that reads a variable of an environment.
    init(
        variable: String,
        environment: @escaping @Sendable () -> [String: String],
        format: TokenAnswerFormat = TokenAnswerFormat()
    ) {
        self.variable = variable
        self.environment = environment
        self.format = format
    }

    /// Reads the variable.
    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason
    ) async throws(TokenSourceError) -> IssuedToken {
        guard let value = environment()[variable] else { throw .missingVariable(variable) }
        return try format.read(Array(value.utf8))
    }
}
