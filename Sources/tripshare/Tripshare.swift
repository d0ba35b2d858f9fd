import ArgumentParser
import Foundation
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
        do {
            try checkName(CommandLine.arguments.dropFirst().first)
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            if !failure.message.isEmpty { Printing.error(failure.message) }
            Foundation.exit(failure.exitCode)
        } catch {
            // The parser repeats what it does not understand, and that may be a token.
            let code = exitCode(for: error)
            guard !code.isSuccess else { exit(withError: error) }
            Printing.error(fullMessage(for: error))
            Foundation.exit(code.rawValue)
        }
    }

    /// Throws a ``CommandFailure`` where a first word is the name of no command: the parser would take it for a word too
    /// many behind `demo`, which nobody wrote.
    private static func checkName(_ word: String?) throws(CommandFailure) {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard let word, !word.hasPrefix("-"), !names.contains(word) else { return }
        let nearest = Spelling.nearest(to: word, among: names).map { " Did you mean \(shown($0))?" } ?? ""
        throw CommandFailure(
            .usage,
            "There is no command \(shown(word)).\(nearest)\n"
                + "The commands are \(names.joined(separator: ", ")); see tripshare help."
        )
    }
}
