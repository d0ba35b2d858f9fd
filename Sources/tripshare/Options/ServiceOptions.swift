import ArgumentParser
import Failures
import TripFeed

/// A command that calls a Fleet Engine.
///
/// No group of options contains another group: at each start of a debug build, the argument library checks the options of
/// a group four times, and the options of a group in a group sixteen times. Written for swift-argument-parser 1.8.2, whose
/// `ArgumentSet.init` validates a type whenever it is read; only the time of a debug build's start shows it.
protocol ServiceCommand {
    var service: ServiceOptions { get }
    var source: TokenSourceOptions { get }
    var answer: TokenAnswerOptions { get }
    var network: NetworkOptions { get }
}

/// Options for the service and its project.
struct ServiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read all settings from the ready file of tripshare emulate.", valueName: "file"))
    var emulator: String?

    @Option(\.providerID) var providerId: String?

    @Option(\.fleetEngineURL) var fleetEngineUrl: String?
}
