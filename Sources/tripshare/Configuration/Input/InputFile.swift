import Failures
import Foundation
import Runtime
import TripText

/// Reads small files given by the user.
enum InputFile {
    /// The maximum file size in bytes.
    static let maximumBytes = 1 << 20

    /// Reads a file as text.
    ///
    /// `what` (the noun of the expected content) and `advice` are parts of the message of the ``CommandFailure``.
    static func text(
        _ path: String,
        limit: Int = maximumBytes,
        what: Text,
        advice: Text
    ) throws(CommandFailure) -> String {
        let data = try data(path, limit: limit, what: what, advice: advice)
        guard let text = String(data: data, encoding: .utf8) else { throw notOne(path, what, advice) }
        return text
    }

    /// Reads a file of at most `limit` bytes; see ``text(_:what:advice:)``.
    static func data(
        _ path: String,
        limit: Int,
        what: Text,
        advice: Text
    ) throws(CommandFailure) -> Data {
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
        what: Text,
        advice: Text
    ) -> CommandFailure {
        let file = excerpt(path: path)
        return switch failure {
        case .missing:
            CommandFailure(.notFound) {
                $0(.failureFileMissing(what: $0(what), file: file, advice: $0(advice)))
            }
        case .tooManyOpenFiles: CommandFailure(.unavailable, .failureFileTooManyOpen(file: file))
        case .folder:
            CommandFailure(.badInput) {
                $0(.failureFileIsFolder(file: file, what: $0(what), advice: $0(advice)))
            }
        case .timedOut:
            CommandFailure(.badInput) {
                $0(
                    .failureFileSilent(
                        file: file,
                        seconds: "\(ReadableFile.timeout.components.seconds)",
                        advice: $0(advice)
                    )
                )
            }
        case .notRegular, .tooLong, .unreadable: notOne(path, what, advice)
        }
    }

    /// Returns the failure for a file that has other content.
    static func notOne(_ path: String, _ what: Text, _ advice: Text) -> CommandFailure {
        CommandFailure(.badInput) {
            $0(.failureFileKind(file: excerpt(path: path), what: $0(what), advice: $0(advice)))
        }
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

    /// Warns if other users can read a file with a secret; the warning is made of the file and its path for a shell.
    static func warnIfOpen(_ path: String, _ warning: (_ file: String, _ path: String) -> Text) {
        // A missing file, or one whose permissions are unreadable, is reported by the code that reads it.
        let rights = try? FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
        guard let mode = rights?[.posixPermissions] as? Int, mode & 0o044 != 0 else { return }
        Printing.warning(warning(excerpt(path: path), pasteable(path)))
    }
}
