import Foundation

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
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw .unreadableFile(reason: "it is not there or may not be read")
        }
        let data: Data
        do {
            data = try file.read(upToCount: TokenAnswerFormat.maximumBytes + 1) ?? Data()
            try file.close()
        } catch {
            throw .unreadableFile(reason: "reading it failed")
        }
        var token = try format.read(Array(data))
        if isReadableByOthers { token.warnings.append(.readableByOthers) }
        return token
    }

    /// An element for each change of the file; `nil` where it can't be watched.
    public func changes() -> AsyncStream<Void>? { FileWatch.changes(of: path) }

    private var isReadableByOthers: Bool {
        // A file that was just read and has no attributes is on a system without permissions: nothing to warn about.
        // A link lets everybody read it; what counts is the file that it leads to.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return mode & 0o077 != 0
    }
}
