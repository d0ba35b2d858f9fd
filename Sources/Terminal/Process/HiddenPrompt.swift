import CProcess

/// A prompt on the terminal for a secret, which is not echoed.
package enum HiddenPrompt {
    /// Why nothing was read.
    package enum Failure: Error, Sendable, Equatable {
        /// A signal requests the end of the process.
        case interrupted(signal: Int32)
        /// There is no terminal, or it cannot be read.
        case unreadable
    }

    /// Shows a prompt and reads one line; waits until the process is in the foreground.
    ///
    /// The terminal echoes again when the function returns, and while the process is stopped (Ctrl-Z). It blocks the thread. Call
    /// it from one thread at a time, and not together with a ``SignalWatch``.
    ///
    /// - Parameters:
    ///   - prompt: The text before the input.
    ///   - limit: The maximum length of the line in bytes; the rest is discarded.
    /// - Returns: The line without its line feed; empty at the end of input.
    /// - Throws: ``Failure``.
    package static func read(_ prompt: String, limit: Int) throws(Failure) -> [UInt8] {
        var line = [CChar](repeating: 0, count: limit)
        var signal: Int32 = 0
        let length = unsafe process_read_hidden(prompt, &line, line.count, &signal)
        guard signal == 0 else { throw .interrupted(signal: signal) }
        guard length >= 0 else { throw .unreadable }
        return line.prefix(length).map { UInt8(bitPattern: $0) }
    }
}
