import Failures
import FleetTokens

/// Gets tokens from a file that another program updates.
///
/// The file is read for each fetch and watched in between.
struct FileTokenSource: RecordingTokenSource {
    /// `file`.
    let name = "file"

    /// The path of the file.
    let path: String
    /// The form of its content.
    private(set) var format = TokenAnswerFormat()

    /// Reads the file once and records what it holds instead of a token.
    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        var isOpenToOthers = false
        let record = SourceRecord(.file, name: excerpt(path: path), recorder)
        var token = try await record.token(in: format) { () async throws(Failure) in
            let file = try SmallFile(path, limit: TokenAnswerFormat.maximumBytes)
            isOpenToOthers = file.isOpenToOthers
            return file.bytes
        }
        if isOpenToOthers { token.warnings.append(.readableByOthers) }
        return token
    }

    /// Returns a stream with an element for each change of the file; `nil` if it cannot be watched.
    func changes() -> AsyncStream<Void>? { FileWatch.changes(of: path) }
}
