import Foundation

/// The exit codes of the program; named cases follow sysexits.h where it defines one.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case expectationFailed = 1
    case usage = 64
    case badInput = 65
    case notFound = 66
    case unavailable = 69
    case ownFault = 70
    case outputFailed = 74
    case notPermitted = 77
    case badConfiguration = 78
    case interrupted = 130
}

/// A failure of a command: a message for standard error and an exit code.
struct CommandFailure: Error, Sendable {
    /// The exit status.
    var status: ExitStatus
    /// The exit code if it differs from the raw value of ``status``.
    private(set) var code: Int32?
    /// What happened, to what, and what to do next; one to three lines.
    var message: String

    /// Creates a failure from a status and a message.
    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The exit code of the process.
    var exitCode: Int32 { code ?? status.rawValue }

    /// A failure without a message, for a process ended by a signal.
    ///
    /// The exit code is 128 plus the signal number, as in a shell.
    static func signal(_ number: Int32) -> CommandFailure {
        var failure = CommandFailure(.interrupted, "")
        failure.code = 128 + number
        return failure
    }
}
