import Failures
import FleetTokens
import Synchronization

/// A token source that stores every token it returned, so that rejected ones can be explained, too.
final class RememberingSource: RecordingTokenSource {
    private let source: any TokenSource
    private let issued = Mutex<IssuedToken?>(nil)

    var name: String { source.name }
    var last: IssuedToken? { issued.withLock { $0 } }

    init(_ source: any TokenSource) {
        self.source = source
    }

    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        let token = try await source.fetch(context, reason: reason, recording: recorder)
        issued.withLock { $0 = token }
        return token
    }
}
