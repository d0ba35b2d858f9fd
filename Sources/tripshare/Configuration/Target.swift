import ArgumentParser
import Failures
import FleetTokens
import HTTPTransport
import HTTPTransportLive
import TripFeed
import TripModel
import TripText

/// A command for trips of a Fleet Engine.
protocol TargetCommand: ServiceCommand {
    var target: TargetOptions { get }
    var transport: TransportOptions { get }
}

/// The trips on the command line.
struct TargetOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The IDs of the trips, bare or as providers/…/trips/….", valueName: "trip"))
    var trips: [String] = []
}

extension TargetCommand {
    /// Throws a usage error if nothing names a trip.
    func requireTrips() throws {
        try require(service.emulator != nil || !target.trips.isEmpty, .usageNoTrip)
    }
}

/// The validated trips and their service, from flags, environment, configuration file and ready file.
struct Target: Sendable {
    /// The trips without duplicates.
    let trips: [TripID]
    /// The project that owns them.
    let provider: ProviderID
    /// Access to the service.
    let access: ServiceAccess
    /// How connections are made.
    let connections: ConnectionSettings
    /// How its calls are sent.
    let calls: ServiceCalls
    /// The clock; the emulator's if its ready file was given.
    let clock: ScaledClock
    /// The emulator's ready file and its path.
    let emulator: (ready: ReadyFile, path: String)?
    /// Whether all trips were announced by an emulator.
    let isAnnounced: Bool

    /// The service.
    let endpoint: ServiceEndpoint
    /// How tokens are used.
    var policy: TokenPolicy { access.policy }

    /// Combines all inputs; throws a ``CommandFailure`` for the first invalid one.
    init(_ command: some TargetCommand, settings: Settings, mayBeEmpty: Bool = false) async throws {
        (emulator, clock) = try ReadyFile.join(command.service.emulator)
        let ready = emulator?.ready
        let named = command.target.trips.map(TripName.init)
        let announced = ready?.tripIds ?? []
        let ids = named.isEmpty ? announced : named.map(\.id)
        var trips: [TripID] = []
        for id in ids {
            let trip = try TokenSubject.checked(id, .nounTrip, TripID.init)
            if !trips.contains(trip) { trips.append(trip) }
        }
        guard !trips.isEmpty || mayBeEmpty else {
            throw CommandFailure(.notFound, .failureNoTrips)
        }
        self.trips = trips
        isAnnounced = ready != nil && ids.allSatisfy(announced.contains)
        let flag = command.service.providerId
        let project = flag ?? ready?.providerId ?? settings.providerID
        provider = try TripName.provider(of: named, configured: project, isFlag: flag != nil)
        let transport = command.transport.selected(settings)
        access = try await ServiceAccess(
            command,
            fleetEngineURL: emulator.map { emulator throws(CommandFailure) in
                try emulator.ready.serviceURL(over: transport, path: emulator.path)
            },
            announced: ready.map { AnnouncedEndpoint($0, url: $0.tokenURL) },
            iamURL: ready?.iamURL,
            settings: settings,
            over: transport
        )
        connections = try command.network.connections()
        let announcedRoot = access.endpoint.isPlaintext ? nil : ready?.grpcRootCertificate
        calls = try ServiceCalls(to: access.endpoint, rootCertificate: announcedRoot, connections)
        var endpoint = access.endpoint
        endpoint.options = calls.options(for: endpoint, announced: announcedRoot, connections)
        self.endpoint = endpoint
    }

    /// Creates the token source.
    func source(transport: HTTPTransport) -> any TokenSource {
        access.source(transport: transport, clock: clock)
    }
}

extension TripName {
    /// Returns the project of all trips: from the flag, else from the trip names, else from the configuration.
    ///
    /// Throws a ``CommandFailure`` if there is none or if the names contradict it.
    static func provider(of names: [TripName], configured: String?, isFlag: Bool) throws -> ProviderID {
        let providers = Set(names.compactMap(\.provider))
        guard
            let project = (isFlag ? configured : nil) ?? (providers.count == 1 ? providers.first : nil) ?? configured
        else {
            throw CommandFailure(.usage, .failureNoProject)
        }
        if let other = providers.first(where: { $0 != project }) {
            throw CommandFailure(.usage, .failureOtherProject, ["other": excerpt(other), "project": excerpt(project)])
        }
        return try TokenSubject.checked(project, .nounProvider, ProviderID.init)
    }
}
