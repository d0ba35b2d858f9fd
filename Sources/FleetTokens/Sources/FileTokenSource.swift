/// Tokens from a file that somebody else keeps up to date: read anew for each fetch, and watched in between.
public struct FileTokenSource: TokenSource {
    /// `file`.
    public let name = "file"

    private let path: String
    private let format: TokenAnswerFormat

    /// A source that reads a file.
    public init(path: String, format: TokenAnswerFormat = TokenAnswerFormat()) {
        self.path = path
        self.format = format
    }

    /// Reads the file once.
    public func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason
    ) async throws(TokenSourceError) -> IssuedToken {
        let file = try SmallFile(path, limit: TokenAnswerFormat.maximumBytes)
        var token = try format.read(file.bytes)
        if file.isOpenToOthers { token.warnings.append(.readableByOthers) }
        return token
    }

    /// An element for each change of the file; `nil` where it can't be watched.
    public func changes() -> AsyncStream<Void>? { FileWatch.changes(of: path) }
}
