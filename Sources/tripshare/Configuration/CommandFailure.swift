import Foundation
import TripText

/// The exit codes of the program; named cases follow sysexits.h where it defines one.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case expectationFailed = 1
    case usage = 64
    case badInput = 65
    case notFound = 66
    case unavailable = 69
    case internalError = 70
    case outputFailed = 74
    case notPermitted = 77
    case badConfiguration = 78
    case interrupted = 130
}

/// A failure of a command: a message for standard error and an exit code.
///
/// The texts of messages are in `Assets/Strings`. The language is chosen when the message is printed.
struct CommandFailure: Error, Sendable {
    /// The exit status.
    var status: ExitStatus
    /// The exit code if it differs from the raw value of ``status``.
    private(set) var code: Int32?
    private let text: @Sendable (Localizer) -> String

    /// Creates a failure with a message; the values are in the order of the key's parameters.
    init(_ status: ExitStatus, _ key: CommandKey, _ values: String...) {
        let text = CommandText(key, filling: values)
        self.init(status) { $0(text) }
    }

    /// Creates a failure with a message that is made of several texts, or of an error's description.
    init(_ status: ExitStatus, _ text: @escaping @Sendable (Localizer) -> String) {
        self.status = status
        self.text = text
    }

    /// What happened, to what, and what to do next; one to three lines, empty if there is nothing to print.
    func message(_ localizer: Localizer) -> String { text(localizer) }

    /// The message in the language of the process.
    var message: String { message(.ofProcess) }

    /// The exit code of the process.
    var exitCode: Int32 { code ?? status.rawValue }

    /// A failure without a message, because the cause has been printed before.
    static func silent(_ status: ExitStatus) -> CommandFailure { CommandFailure(status) { _ in "" } }

    /// A failure without a message, for a process ended by a signal.
    ///
    /// The exit code is 128 plus the signal number, as in a shell.
    static func signal(_ number: Int32) -> CommandFailure {
        var failure = silent(.interrupted)
        failure.code = 128 + number
        return failure
    }
}
