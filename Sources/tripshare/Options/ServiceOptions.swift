import ArgumentParser
import HTTPTransport
import TripFeed

/// Options shared by all commands that call a Fleet Engine: service, project and token source.
struct ServiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read all settings from the ready file of tripshare emulate.", valueName: "file"))
    var emulator: String?

    @Option(help: ArgumentHelp("The Google Cloud project that owns trips and vehicles.", valueName: "id"))
    var providerId: String?

    @Option(help: ArgumentHelp("Base URL of Fleet Engine (default: \(ServiceEndpoint.google)).", valueName: "url"))
    var fleetEngineUrl: String?

    @OptionGroup var source: TokenSourceOptions

    @OptionGroup var answer: TokenAnswerOptions

    @Flag(help: "Allow plain HTTP to other machines.")
    var allowPlainHttp = false
}
