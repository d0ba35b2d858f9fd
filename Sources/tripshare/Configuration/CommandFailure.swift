import Failures
import Foundation
import TripText

/// A failure of a command: a message for standard error and an exit code.
///
/// The texts of messages are in `Assets/Strings`. The language is chosen when the message is printed.
struct CommandFailure: Error, Sendable {
    /// The exit status.
    var status: ExitStatus
    /// The exit code if it differs from the raw value of ``status``.
    private(set) var code: Int32?
    /// The parties that may have to fix it, the likeliest first; none if it is a matter of the command line alone.
    private(set) var suspects: [Diagnosis.Suspect] = []
    private let text: @Sendable (Localizer) -> String

    /// Creates a failure with a message.
    init(_ status: ExitStatus, _ text: Text) {
        self.init(status) { $0(text) }
    }

    /// Creates a failure with a message that is made of several texts, or of an error's description.
    init(_ status: ExitStatus, _ text: @escaping @Sendable (Localizer) -> String) {
        self.status = status
        self.text = text
    }

    /// Creates the failure of credentials or of another token source, which ends the program.
    init(source failure: Failure) {
        self.init(failure.exitStatus) { localizer in
            let text = UserMessage(source: failure, localizer: localizer).last.text(localizer)
            return text.prefix(1).uppercased() + text.dropFirst()
        }
        suspects = Diagnosis(failure).suspects
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
