import Foundation

/// Small files that a person names.
enum InputFile {
    /// The largest file that is read, in bytes.
    static let maximumBytes = 1 << 20

    /// The text of a file; `what` it should be and the `advice` go into the message of a ``CommandFailure``.
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

    /// The bytes of a file, at most `limit`; see ``text(_:what:advice:)``.
    static func data(_ path: String, limit: Int, what: String, advice: String) throws(CommandFailure) -> Data {
        do {
            return try ReadableFile.bytes(path, limit: limit)
        } catch {
            throw failure(error, path, what: what, advice: advice)
        }
    }

    /// The words for a file that can't be read.
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

    /// All bytes of standard input or a pipe; `nil` where there are more than `limit` or reading fails.
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

    /// Warns of a file with a secret that others can read, with the power that it gives them.
    static func warnIfOpen(_ path: String, what: String, power: String) {
        // Of a file whose rights can't be told, or that is not there, whoever reads it says what has to be said.
        let rights = try? FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
        guard let mode = rights?[.posixPermissions] as? Int, mode & 0o044 != 0 else { return }
        Printing.error("Others can read the \(what) \(shown(path)), and \(power): chmod 600 \(pasteable(path))")
    }
}
