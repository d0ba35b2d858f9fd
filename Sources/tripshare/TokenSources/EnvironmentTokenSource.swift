import Failures
import FleetTokens

/// Gets a token from an environment variable, which cannot change while the program runs.
struct EnvironmentTokenSource: RecordingTokenSource {
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

    /// Reads the variable and records what it holds instead of a token.
    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        let name = excerpt(value: variable)
        let record = SourceRecord(.variable, name: name, recorder)
        return try await record.token(in: format) { () async throws(Failure) in
            guard let value = environment()[variable] else { throw .missingVariable(name) }
            return Array(value.utf8)
        }
    }
}
