import Foundation
import TripText

/// What a command uses of the process that runs it.
///
/// Tests run commands in their own process with another context, because starting the program takes longer than most commands.
struct ProcessContext: Sendable {
    /// The context of the running command.
    @TaskLocal static var current = ProcessContext()

    /// The environment variables.
    var environment = ProcessInfo.processInfo.environment
    /// The language of messages; `nil` for the language of the process.
    var localizer: Localizer?
    /// The bytes of standard input; `nil` for the file.
    var input: [UInt8]?
    /// Receives each text with the descriptor to which it is written; `nil` writes to the descriptor.
    var write: (@Sendable (String, Int32) -> Void)?
    /// Whether signals to the process are for the command, and the process ends if the command does not end in time.
    var ownsProcess = true

    /// Returns whether a standard file of the command is a terminal.
    func isTerminal(_ descriptor: Int32) -> Bool { write == nil && isatty(descriptor) == 1 }
}
