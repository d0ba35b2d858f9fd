import ArgumentParser
import TripFeed

/// The protocol of the calls to the service.
struct TransportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The protocol of the calls to Fleet Engine (default: rest).", valueName: "protocol"))
    var transport: ServiceProtocol?

    /// Returns the protocol: from the flag, else from the settings, else REST.
    func selected(_ settings: Settings) -> ServiceProtocol { transport ?? settings.transport ?? .rest }
}

extension ServiceProtocol: ExpressibleByArgument {}
