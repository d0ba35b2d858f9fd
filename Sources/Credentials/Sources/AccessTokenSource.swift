import Failures
import FleetTokens

/// A source of access tokens, so that a token provider stores them like all other tokens.
struct AccessTokenSource: RecordingTokenSource {
    /// `credentials`.
    let name = "credentials"
    let credential: Credential
    let tokens: AccessTokens

    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        try await tokens.token(of: credential, recording: recorder)
    }
}
