import Canvas
import Failures
import Foundation
import Runtime
import SystemPackage
import Terminal
import TripText

/// Returns untrusted text, sanitized and shortened, as a value of a message that has its own quotation marks.
func excerpt(_ text: String) -> String { text.sanitized(limit: 200) }

/// Returns the value of an option, setting or argument that is not a path, as a value of a message.
///
/// A value that may be a secret in the wrong place is replaced by ``hiddenValue``.
func excerpt(value: String) -> String { value.isPlausibleValue ? excerpt(value) : hiddenValue }

/// Returns a path as a value of a message.
///
/// A key in place of its file, or another value that is not a short plausible path, is replaced by ``hiddenValue``.
func excerpt(path: String) -> String { path.isPlausiblePath ? excerpt(path) : hiddenValue }

/// What messages have in place of a value that may be a secret.
let hiddenValue = "<hidden>"

extension String {
    /// Whether the text is short, has one line, and contains no word that may be a token or key.
    var isPlausibleValue: Bool {
        utf8.count <= 200 && !contains(where: \.isNewline) && withoutTokens == self && withoutPossibleSecrets == self
    }

    /// Whether the text is a path in an existing folder or in a new one there, or a plausible value.
    fileprivate var isPlausiblePath: Bool {
        if isPlausibleValue { return true }
        guard utf8.count <= PATH_MAX, !contains(where: \.isNewline) else { return false }
        if FileManager.default.fileExists(atPath: self) { return true }
        // Base64 may begin with a slash, and any text with a dot.
        let parent = parentFolder
        return [parent, parent?.parentFolder].compactMap(\.self).contains { folder in
            !["", ".", ".."].contains(folder) && FileManager.default.fileExists(atPath: folder)
        }
    }

    /// The text in front of the last slash; `nil` without one.
    private var parentFolder: String? { lastIndex(of: "/").map { String(self[..<$0]) } }
}

/// Returns a message of the argument parser, which repeats arguments, without those that may be secrets.
func withoutSecretArguments(_ message: String, _ arguments: some Sequence<String>) -> String {
    arguments.reduce(message) { message, argument in
        // Of `--option=value`, the value is repeated alone, too.
        let values = [argument] + argument.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
        return values.reduce(message) { $1.isEmpty || $1.isPlausibleValue ? $0 : $0.replacing($1, with: hiddenValue) }
    }
}

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

    /// Writes text to standard output, line by line; throws the error of the system, for output that does not end the command.
    static func tryOut(_ text: String) throws(Errno) { try write(sanitized(text), to: STDOUT_FILENO) }

    /// Writes a value to standard output as one line of JSON; throws the error of the system.
    static func tryJSON(_ value: some Encodable) throws(Errno) {
        try write(SanitizedJSON.line(value), to: STDOUT_FILENO)
    }

    /// Writes a line of JSON made by ``SanitizedJSON``.
    static func json(line: String) { output(line, ifUnread: .done) }

    /// Writes the program's own text, which must not contain untrusted parts.
    static func own(_ text: String) { output(text, ifUnread: .done) }

    /// Writes a token to standard output, for `--reveal`.
    static func reveal(_ token: String, ifUnread code: ExitStatus) { output(token, ifUnread: code) }

    /// Writes text to standard error, line by line.
    static func error(_ text: String) {
        // There is no other place to report a write error, and the exit code must still report the original failure.
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
            warning(.failureOutput(reason: unsafe String(cString: strerror(error.rawValue))))
            exit(ExitStatus.outputFailed.rawValue)
        }
    }

    /// Writes a whole line.
    private static func write(_ line: String, to descriptor: Int32) throws(Errno) {
        if let write = ProcessContext.current.write { return write(line + "\n", descriptor) }
        try unsafe WholeLines.append(Array((line + "\n").utf8), to: descriptor)
    }
}
