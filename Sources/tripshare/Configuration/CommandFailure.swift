import Foundation

/// The exit codes of the program; sysexits.h where it has a name for the case.
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

/// Why a command ends other than well: words for standard error and an exit code.
struct CommandFailure: Error, Sendable {
    /// The code.
    var status: ExitStatus
    /// The exit code, where it is not that of the status.
    private(set) var code: Int32?
    /// What happened, to what, and what to do next: one to three lines.
    var message: String

    /// A failure with its words.
    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The code that the process ends with.
    var exitCode: Int32 { code ?? status.rawValue }

    /// The end by a signal, without a word: 128 and its number, as a shell reports it.
    static func signal(_ number: Int32) -> CommandFailure {
        var failure = CommandFailure(.interrupted, "")
        failure.code = 128 + number
        return failure
    }
}
