import Failures
import FleetTokens

/// A source that always records what came back, so that it has only one way to fetch.
protocol RecordingTokenSource: TokenSource {}

extension RecordingTokenSource {
    /// Fetches a token without keeping the record.
    func fetch(_ context: AuthorizationContext, reason: FetchReason) async throws(Failure) -> IssuedToken {
        try await fetch(context, reason: reason, recording: TokenAnswerRecorder())
    }
}
