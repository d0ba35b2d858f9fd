import ArgumentParser
import Failures
import FleetTokens
import TransportLive
import TripFeed
import TripModel
import TripText

/// A command for trips or shipments of a Fleet Engine.
protocol TargetCommand: ServiceCommand {
    /// What an ID without its collection names.
    static var kind: JourneyKind { get }
    /// The trips and shipments on the command line.
    var names: [JourneyName] { get }
    var transport: TransportOptions { get }
    /// The URL of the token endpoint for shipments; `nil` if it is that for trips.
    var trackingTokenURL: String? { get }
}

/// The trips on the command line.
struct TargetOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The IDs of the trips, bare or as providers/…/trips/…; taskTrackingInfo/… is a shipment.",
            valueName: "trip"
        )
    )
    var trips: [String] = []
}

extension TargetCommand {
    /// Throws a usage error if nothing names a trip or a shipment.
    func requireNames(_ problem: Text) throws {
        try require(service.emulator != nil || !names.isEmpty, problem)
    }
}

/// The validated trips and shipments and their service, from flags, environment, configuration file and ready file.
struct Target: Sendable {
    /// The trips and shipments without duplicates.
    let trips: [JourneyID]
    /// The project that owns them.
    let provider: ProviderID
    /// Access to the service.
    let access: ServiceAccess
    /// Where the tokens of shipments come from; `nil` if it is the same as for trips.
    let shipmentOrigin: TokenOrigin?
    /// How connections are made.
    let connections: ConnectionSettings
    /// How its calls are sent.
    let calls: ServiceCalls
    /// The clock; the emulator's if its ready file was given.
    let clock: ScaledClock
    /// The emulator's ready file and its path.
    let emulator: (ready: ReadyFile, path: String)?
    /// Names the faults of the emulator; `nil` without one.
    let marks: FaultMarks?
    /// Whether all trips and shipments were announced by an emulator.
    let isAnnounced: Bool

    /// The service.
    let endpoint: ServiceEndpoint
    /// How tokens are used.
    var policy: TokenPolicy { access.policy }

    /// Combines all inputs; throws a ``CommandFailure`` for the first invalid one.
    init(_ command: some TargetCommand, settings: Settings, mayBeEmpty: Bool = false) async throws {
        (emulator, clock) = try ReadyFile.join(command.service.emulator)
        let ready = emulator?.ready
        marks = FaultMarks(ready)
        let named = command.names
        let announced = ready?.journeys ?? []
        let wanted = named.isEmpty ? announced.filter { $0.kind == type(of: command).kind } : named
        let trips = try wanted.journeys()
        guard !trips.isEmpty || mayBeEmpty else {
            throw CommandFailure(.notFound, type(of: command).kind == .trip ? .failureNoTrips : .failureNoShipments)
        }
        self.trips = trips
        isAnnounced = ready != nil && wanted.allSatisfy(announced.contains)
        let flag = command.service.providerId
        let project = settings.resolve(\.providerID, flag, ready?.providerId)
        provider = try JourneyName.provider(of: named, configured: project, isFlag: flag != nil)
        let transport = command.transport.selected(settings)
        access = try await ServiceAccess(
            command,
            fleetEngineURL: emulator.map { emulator throws(CommandFailure) in
                try emulator.ready.serviceURL(over: transport, path: emulator.path)
            },
            announced: ready.map { AnnouncedEndpoint($0, url: $0.tokenURL) },
            iamURL: ready?.iamURL,
            settings: settings,
            configured: settings.endpoint(\.tokenURL) ?? settings.endpoint(\.trackingTokenURL),
            over: transport
        )
        shipmentOrigin = try await Self.shipmentOrigin(command, ready, settings)
        connections = try command.network.connections(settings)
        let announcedRoot = access.endpoint.isPlaintext ? nil : ready?.grpcRootCertificate
        calls = try ServiceCalls(to: access.endpoint, rootCertificate: announcedRoot, connections)
        var endpoint = access.endpoint
        endpoint.options = calls.options(for: endpoint, announced: announcedRoot, connections)
        self.endpoint = endpoint
    }

    /// Returns where the tokens of shipments come from if it is another endpoint than for trips.
    private static func shipmentOrigin(
        _ command: some TargetCommand,
        _ ready: ReadyFile?,
        _ settings: Settings
    ) async throws -> TokenOrigin? {
        var options = command.source
        guard command.trackingTokenURL != nil || options.isUnset else { return nil }
        let announced = ready.flatMap { ready in
            ready.trackingTokenURL.map { AnnouncedEndpoint(ready, url: $0) }
        }
        options.tokenUrl = command.trackingTokenURL
        let configured = settings.endpoint(\.trackingTokenURL)
        guard options.tokenUrl ?? announced?.url ?? configured?.url != nil else { return nil }
        return try await TokenOrigin(
            options,
            announced: announced,
            configured: configured,
            iamURL: nil,
            allowPlainHTTP: command.network.allowPlainHttp
        )
    }

    /// Creates the token source.
    func source(transport: HTTPTransport) -> any TokenSource {
        // A source that signs has no answer whose form differs.
        guard !access.origin.isForServers else { return access.source(transport: transport, clock: clock) }
        return JourneyTokenSource(
            trips: access.source(transport: transport, clock: clock),
            shipments: (shipmentOrigin ?? access.origin)
                .source(transport: transport, clock: clock, format: access.shipmentFormat)
        )
    }
}

extension [JourneyName] {
    /// Returns the IDs without duplicates; throws a ``CommandFailure`` for an invalid one.
    func journeys() throws(CommandFailure) -> [JourneyID] {
        var ids: [JourneyID] = []
        for name in self {
            let noun = name.kind == .trip ? Text.nounTrip : .nounShipment
            let id = try TokenSubject.checked(name.id, noun) { text throws(ResourceIDError) in
                try JourneyID(name.kind, text)
            }
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }
}

extension JourneyName {
    /// Returns the project of all trips: from the flag, else from the trip names, else from the configuration.
    ///
    /// Throws a ``CommandFailure`` if there is none or if the names contradict it.
    static func provider(of names: [JourneyName], configured: String?, isFlag: Bool) throws -> ProviderID {
        let providers = Set(names.compactMap(\.provider))
        guard
            let project = (isFlag ? configured : nil) ?? (providers.count == 1 ? providers.first : nil) ?? configured
        else {
            throw CommandFailure(.usage, .failureNoProject)
        }
        if let other = providers.first(where: { $0 != project }) {
            throw CommandFailure(.usage, .failureOtherProject(other: excerpt(other), project: excerpt(project)))
        }
        return try TokenSubject.checked(project, .nounProvider, ProviderID.init)
    }
}
