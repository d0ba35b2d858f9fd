import ArgumentParser
import Foundation
import ProcessControl
import Terminal
import TripScreen

/// The program.
@main
struct Tripshare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tripshare",
        abstract: "Follow a ride of Google Maps Platform Fleet Engine from a terminal.",
        discussion: "Without a command it shows the demo: an emulator, a driver and a rider in one process.",
        version: "0.1.0",
        subcommands: [
            DemoCommand.self, WatchCommand.self, EmulateCommand.self, DriveCommand.self, TokenCommand.self,
            DoctorCommand.self, ScenariosCommand.self,
        ],
        defaultSubcommand: DemoCommand.self
    )

    static func main() async {
        StandardFiles.fillGaps()
        // Before anything reads a locale.
        LocaleVariables.clean()
        Faults.report()
        // Before anything reads a secret.
        if !CommandLine.arguments.contains("--\(DebuggingOptions.flag)") { MemoryProtection.apply() }
        // A parent process may have ignored it, and then it could not be found out how a token command ended.
        signal(SIGCHLD, SIG_DFL)
        do {
            try checkNames(CommandLine.arguments.dropFirst())
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try OpenFileLimit.raise()
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            if !failure.message.isEmpty { Printing.error(failure.message) }
            Foundation.exit(failure.exitCode)
        } catch {
            // The parser's own printing does not notice a full disk, and repeats what it does not understand, which may be a
            // token.
            let code = exitCode(for: error)
            let message = fullMessage(for: error)
            if code.isSuccess { Printing.own(message) } else { Printing.error(message) }
            Foundation.exit(code.rawValue)
        }
    }

    /// Throws a ``CommandFailure`` where a first word, or one behind `help`, is the name of no command: the parser would take
    /// it for a word too many behind `demo`, which nobody wrote, or help with something else.
    private static func checkNames(_ words: ArraySlice<String>) throws(CommandFailure) {
        guard words.first == "help" else {
            return try check(words.first, among: configuration.subcommands, or: ["help"])
        }
        var commands = configuration.subcommands
        for (index, word) in words.dropFirst().enumerated() {
            try check(word, among: commands, or: index == 0 ? ["help"] : [])
            commands = commands.first { $0.configuration.commandName == word }?.configuration.subcommands ?? []
        }
    }

    private static func check(
        _ word: String?,
        among commands: [any ParsableCommand.Type],
        or others: [String] = []
    ) throws(CommandFailure) {
        let names = commands.compactMap { $0.configuration.commandName } + others
        guard let word, !word.hasPrefix("-"), !names.isEmpty, !names.contains(word) else { return }
        let nearest = Spelling.nearest(to: word, among: names).map { " Did you mean \(shown($0))?" } ?? ""
        throw CommandFailure(
            .usage,
            "There is no command \(shown(word)).\(nearest)\n"
                + "The commands are \(names.joined(separator: ", ")); see tripshare help."
        )
    }
}
