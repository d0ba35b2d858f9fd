import Canvas
import Foundation
import ProcessControl
import Sanitizing
import SystemPackage
import TripText

/// Returns untrusted text, sanitized and shortened, as a value of a message that has its own quotation marks.
func excerpt(_ text: String) -> String { text.sanitized(limit: 200) }

/// Returns untrusted text, sanitized and in English quotation marks.
func shown(_ text: String) -> String { "‘\(text.sanitized(limit: 200))’" }

/// Writes to standard output and standard error.
///
/// All output is sanitized: ``out(_:ifUnread:)`` and ``error(_:)`` take text, ``json(_:ifUnread:)`` takes a value. Only
/// ``own(_:)`` and ``reveal(_:ifUnread:)`` write their argument unchanged.
///
/// If the reader has closed the pipe (`| head`) before any signal, the process exits silently with the code `ifUnread`, unless
/// the command has to clean up (``out(_:whenUnread:)``). Any other write error, such as a full disk or a closed descriptor,
/// exits with 74 and a message.
enum Printing {
    /// The maximum number of Unicode scalars per line.
    private static let maximumLineLength = 1 << 16

    /// Writes text to standard output, line by line.
    static func out(_ text: String, ifUnread code: ExitStatus = .done) {
        output(sanitized(text), ifUnread: code)
    }

    /// Writes text to standard output, line by line; calls `stop` instead of exiting if the reader has closed the pipe.
    static func out(_ text: String, whenUnread stop: () -> Void) {
        output(sanitized(text), whenUnread: stop)
    }

    /// Writes a value to standard output as one line of JSON.
    static func json(_ value: some Encodable, ifUnread code: ExitStatus = .done) {
        output(SanitizedJSON.line(value), ifUnread: code)
    }

    /// Writes a line of JSON made by ``SanitizedJSON``.
    static func json(line: String) { output(line, ifUnread: .done) }

    /// Writes the program's own text, which must not contain untrusted parts.
    static func own(_ text: String) { output(text, ifUnread: .done) }

    /// Writes a token to standard output, for `--reveal`.
    static func reveal(_ token: String, ifUnread code: ExitStatus) { output(token, ifUnread: code) }

    /// Writes text to standard error, line by line.
    static func error(_ text: String) {
        // There is no other place to report a write error, and the exit code must remain that of the original failure.
        try? write(sanitized(text), to: STDERR_FILENO)
    }

    /// Returns whether standard error accepts a line now; waits for that at most this many milliseconds.
    static func acceptsErrors(within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&descriptor, 1, milliseconds) > 0
    }

    private static func sanitized(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { String($0).sanitized(limit: maximumLineLength) }.joined(separator: "\n")
    }

    private static func output(_ text: String, ifUnread code: ExitStatus) {
        output(text) { exit(code.rawValue) }
    }

    private static func output(_ text: String, whenUnread stop: () -> Void) {
        do {
            try write(text, to: STDOUT_FILENO)
        } catch .brokenPipe where SignalWatch.signalHasCome {
            // Ctrl-C also ends the reader of a pipe. The program ends as the signal requires.
            return
        } catch .ioError where SignalWatch.signalComes(within: .seconds(1)) {
            // The terminal was closed. A shell passes its signal on a moment later.
            return
        } catch .brokenPipe {
            stop()
        } catch {
            warning(.failureOutput, unsafe String(cString: strerror(error.rawValue)))
            exit(ExitStatus.outputFailed.rawValue)
        }
    }

    /// Writes a whole line, repeating `write` after partial writes.
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
