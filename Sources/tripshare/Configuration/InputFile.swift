import Foundation

/// Reads small files given by the user.
enum InputFile {
    /// The maximum file size in bytes.
    static let maximumBytes = 1 << 20

    /// Reads a file as text.
    ///
    /// `what` (the expected content) and `advice` are used in the message of the ``CommandFailure``.
    static func text(
        _ path: String,
        limit: Int = maximumBytes,
        what: String,
        advice: String
    ) throws(CommandFailure) -> String {
        let data = try data(path, limit: limit, what: what, advice: advice)
        guard let text = String(data: data, encoding: .utf8) else { throw notOne(path, what, advice) }
        return text
    }

    /// Reads a file of at most `limit` bytes; see ``text(_:what:advice:)``.
    static func data(_ path: String, limit: Int, what: String, advice: String) throws(CommandFailure) -> Data {
        do {
            return try ReadableFile.bytes(path, limit: limit)
        } catch {
            throw failure(error, path, what: what, advice: advice)
        }
    }

    /// Returns the failure for a file that cannot be read.
    static func failure(
        _ failure: ReadableFile.Failure,
        _ path: String,
        what: String,
        advice: String
    ) -> CommandFailure {
        switch failure {
        case .missing:
            CommandFailure(.notFound, "There is no \(what) \(shown(path)), or it can't be read.\n\(advice)")
        case .folder: CommandFailure(.badInput, "\(shown(path)) is a folder, and no \(what).\n\(advice)")
        case .silent:
            CommandFailure(
                .badInput,
                "Nothing came from \(shown(path)) for \(ReadableFile.patience.components.seconds) s.\n\(advice)"
            )
        case .notRegular, .tooLong, .unreadable: notOne(path, what, advice)
        }
    }

    private static func notOne(_ path: String, _ what: String, _ advice: String) -> CommandFailure {
        CommandFailure(.badInput, "\(shown(path)) is no \(what).\n\(advice)")
    }

    /// Reads all bytes of standard input or a pipe.
    ///
    /// Returns `nil` if there are more than `limit` bytes or reading fails.
    static func bytes(_ file: FileHandle, limit: Int) -> Data? {
        var data = Data()
        do {
            while let more = try file.read(upToCount: limit + 1 - data.count), !more.isEmpty {
                data += more
                guard data.count <= limit else { return nil }
            }
        } catch {
            return nil
        }
        return data
    }

    /// Warns if other users can read a file with a secret; `power` says what the secret lets them do.
    static func warnIfOpen(_ path: String, what: String, power: String) {
        // A missing file, or one whose permissions are unreadable, is reported by the code that reads it.
        let rights = try? FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
        guard let mode = rights?[.posixPermissions] as? Int, mode & 0o044 != 0 else { return }
        Printing.error("Others can read the \(what) \(shown(path)), and \(power): chmod 600 \(pasteable(path))")
    }
}
