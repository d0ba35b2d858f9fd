import Canvas
import Foundation
import Sanitizing
import SystemPackage

/// Outside text, sanitized and in the quotation marks of messages.
func shown(_ text: String) -> String { "‘\(text.sanitized(limit: 200))’" }

/// Writes to standard output and standard error.
///
/// Everything is sanitized on its way, whatever it is made of: ``out(_:ifUnread:)`` and ``error(_:)`` take text,
/// ``json(_:ifUnread:)`` takes a value. Only ``own(_:)`` and ``reveal(_:ifUnread:)`` write what they are given.
///
/// A reader that has gone away (`| head`) ends the process quietly with the code `ifUnread`. Any other failure of standard
/// output, such as a full disk or a closed descriptor, ends it with 74 and a message.
enum Printing {
    /// The scalars of a line that are written.
    private static let longestLine = 1 << 16

    /// Writes text to standard output, line by line.
    static func out(_ text: String, ifUnread code: ExitStatus = .done) {
        output(sanitized(text), ifUnread: code)
    }

    /// Writes a value as one line of JSON to standard output.
    static func json(_ value: some Encodable, ifUnread code: ExitStatus = .done) {
        output(SanitizedJSON.line(value), ifUnread: code)
    }

    /// Writes a line of JSON that ``SanitizedJSON`` made.
    static func json(line: String) { output(line, ifUnread: .done) }

    /// Writes text of the program itself that holds nothing from outside.
    static func own(_ text: String) { output(text, ifUnread: .done) }

    /// Writes a token to standard output, for `--reveal`.
    static func reveal(_ token: String, ifUnread code: ExitStatus) { output(token, ifUnread: code) }

    /// Writes text to standard error, line by line.
    static func error(_ text: String) {
        // Where it can't be written there is no other place to say so, and the exit code has to be the one of the cause.
        try? write(sanitized(text), to: STDERR_FILENO)
    }

    private static func sanitized(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { String($0).sanitized(limit: longestLine) }.joined(separator: "\n")
    }

    private static func output(_ text: String, ifUnread code: ExitStatus) {
        do {
            try write(text, to: STDOUT_FILENO)
        } catch .brokenPipe {
            exit(code.rawValue)
        } catch {
            Self.error(
                """
                Standard output can't be written: \(unsafe String(cString: strerror(error.rawValue))).
                Make room where it goes to, or direct it somewhere else.
                """
            )
            exit(ExitStatus.outputFailed.rawValue)
        }
    }

    /// Writes a line as a whole, however often the system takes only a part of it.
    private static func write(_ line: String, to descriptor: Int32) throws(Errno) {
        do {
            try FileDescriptor(rawValue: descriptor).writeAll((line + "\n").utf8)
        } catch let error as Errno {
            throw error
        } catch {
            throw .ioError
        }
    }
}
