import ArgumentParser
import TripFeed

/// The protocol of the calls to the service.
struct TransportOptions: ParsableArguments {
    @Option(\.transport) var transport: ServiceProtocol?

    /// Returns the protocol: from the flag, else from the settings, else REST.
    func selected(_ settings: Settings) -> ServiceProtocol { settings.resolve(\.transport, transport) }
}

extension ServiceProtocol: ExpressibleByArgument {}
