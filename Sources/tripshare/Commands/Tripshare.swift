import ArgumentParser
import Failures
import Foundation
import Runtime
import Terminal
import TripScreen
import TripText

/// The entry point.
@main
struct Tripshare: AsyncParsableCommand {
    static let version = "0.1.0"
    /// The name of the program with its version, as reports contain it.
    static let programAndVersion = "tripshare \(version)"

    static let configuration = CommandConfiguration(
        commandName: "tripshare",
        abstract: "Follow trips of Google Maps Platform Fleet Engine in a terminal.",
        discussion: "Without a command, it runs the demo: an emulator, a driver and a rider in one process.",
        version: Self.version,
        subcommands: [
            DemoCommand.self, PresentCommand.self, WatchCommand.self, TrackCommand.self, TripsCommand.self,
            EmulateCommand.self,
            DriveCommand.self,
            TokenCommand.self, TokensCommand.self, DoctorCommand.self, ReplayCommand.self, ExportCommand.self,
            CompareCommand.self,
            VerifyCommand.self, CallsCommand.self,
            ExpectCommand.self,
            NoticesCommand.self, ScenariosCommand.self,
        ],
        defaultSubcommand: DemoCommand.self
    )

    static func main() async {
        StandardFiles.fillGaps()
        // Must run before any code reads a locale.
        LocaleVariables.clean()
        Faults.report()
        // Must run before any code reads a secret.
        if !CommandLine.arguments.contains("--\(DebuggingOptions.flag)") { MemoryProtection.apply() }
        SignalWatch.useDefaultQuit()
        Leftovers.coverSignals()
        // A parent process may have set SIGCHLD to SIG_IGN. Then the exit status of a token command could not be read.
        signal(SIGCHLD, SIG_DFL)
        let code = await run(Array(CommandLine.arguments.dropFirst())) {
            try AddressSpaceLimit.check()
            try OpenFileLimit.raise()
        }
        if code != ExitStatus.done.rawValue { Foundation.exit(code) }
    }

    /// Runs the command of the arguments, and prints its failure.
    ///
    /// - Parameters:
    ///   - arguments: The words after the name of the program.
    ///   - prepare: Called before a command that follows trips or calls services.
    /// - Returns: The exit code.
    static func run(_ arguments: [String], prepare: () throws -> Void = {}) async -> Int32 {
        do {
            try checkNames(arguments[...])
            var command = try command(of: arguments)
            if var command = command as? any AsyncParsableCommand {
                try prepare()
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.done.rawValue
        } catch let failure as CommandFailure {
            let message = failure.message
            if !message.isEmpty { Printing.error(message) }
            return failure.exitCode
        } catch {
            // The parser's own printing ignores write errors such as a full disk. It also echoes unknown arguments, which may
            // be tokens.
            let code = exitCode(for: error)
            let message = withoutSecretArguments(fullMessage(for: error), arguments)
            if code.isSuccess { Printing.own(message) } else { Printing.error(message) }
            return code.rawValue
        }
    }

    /// Parses the arguments.
    ///
    /// A command whose names come first is parsed alone. From the root, the parser collects the options of this command and of
    /// the default command several times before it parses them, which takes most of the time of a start.
    static func command(of arguments: [String]) throws -> any ParsableCommand {
        var type: any ParsableCommand.Type = Self.self
        var rest = arguments[...]
        while let name = rest.first,
            let next = type.configuration.subcommands.first(where: { $0.configuration.commandName == name })
        {
            (type, rest) = (next, rest.dropFirst())
        }
        // Errors and help texts contain the names of all parent commands, so that only the root can write them.
        if type.configuration.subcommands.isEmpty, let command = try? type.parseAsRoot(Array(rest)),
            Swift.type(of: command) == type
        {
            return command
        }
        return try parseAsRoot(arguments)
    }

    /// Throws a ``CommandFailure`` if the first word, or the word after `help`, is not a command name.
    ///
    /// The parser would report it as an unexpected argument of the default command `demo`, or print unrelated help.
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
        let nearest = Spelling.nearest(to: word, among: names)
        throw CommandFailure(.usage) { localizer in
            let suggestion = nearest.map { localizer(.nearestCommand(name: $0)) } ?? ""
            return localizer(
                .failureUnknownCommand(
                    command: excerpt(value: word),
                    nearest: suggestion,
                    names: names.joined(separator: ", ")
                )
            )
        }
    }
}
