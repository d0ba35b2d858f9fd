import ArgumentParser
import Failures
import FleetEmulator
import Foundation
import TripText

/// `tripshare scenarios`: lists the scenarios.
struct ScenariosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenarios",
        abstract: "List the scenarios that demo and emulate can play."
    )

    @Argument(help: ArgumentHelp("Print this scenario's YAML, as a template for your own.", valueName: "name"))
    var name: String?

    func run() throws {
        if name == "ride" {
            throw CommandFailure(.usage, .failurePlainRide)
        }
        if let name {
            guard let yaml = Scenario.yaml(of: name) else {
                throw CommandFailure(.notFound, .failureNoScenario(name: excerpt(path: name)))
            }
            return Printing.out(yaml.trimmingCharacters(in: .newlines))
        }
        let names = Scenario.names + Scenario.deliveryNames
        let width = names.map(\.count).max() ?? 0
        let row = { (name: String, title: String) in
            "\(name.padding(toLength: width, withPad: " ", startingAt: 0))  \(title)"
        }
        Printing.out(row("ride", "A plain ride of about three minutes: what demo plays by default"))
        for name in names {
            guard let scenario = try Scenario.named(name) else { continue }
            Printing.out(row(name, scenario.title))
        }
    }
}
