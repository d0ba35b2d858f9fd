import ArgumentParser
import Foundation

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
            exit(withError: error)
        }
    }
}
