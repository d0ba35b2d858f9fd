import ArgumentParser
import FleetTokens
import HTTPTransport
import TripFeed
import TripModel

/// Options for the trips, the service and the token source.
struct TargetOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The IDs of the trips, bare or as providers/…/trips/….", valueName: "trip"))
    var trips: [String] = []

    @OptionGroup var service: ServiceOptions

    /// Throws a usage error if nothing names a trip.
    func requireTrips() throws {
        guard service.emulator != nil || !trips.isEmpty else {
            throw ValidationError("Name at least one trip, or an emulator's ready file with --emulator.")
        }
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
    /// The clock; the emulator's if its ready file was given.
    let clock: ScaledClock
    /// The emulator's ready file and its path.
    let emulator: (ready: ReadyFile, path: String)?
    /// Whether all trips were announced by an emulator.
    let isAnnounced: Bool

    /// The service.
    var endpoint: ServiceEndpoint { access.endpoint }
    /// How tokens are used.
    var policy: TokenPolicy { access.policy }

    /// Combines all inputs; throws a ``CommandFailure`` for the first invalid one.
    init(_ options: TargetOptions, settings: Settings, mayBeEmpty: Bool = false) async throws {
        let ready = try options.service.emulator.map(ReadyFile.read)
        clock = ready.map { ScaledClock(anchor: $0.anchor) } ?? ScaledClock(speed: 1)
        emulator = if let ready, let path = options.service.emulator { (ready.file, path) } else { nil }

        let named = options.trips.map(TripName.init)
        let announced = ready?.file.tripIds ?? []
        let ids = named.isEmpty ? announced : named.map(\.id)
        var trips: [TripID] = []
        for id in ids {
            let trip = try TokenSubject.checked(id, "trip", TripID.init)
            if !trips.contains(trip) { trips.append(trip) }
        }
        guard !trips.isEmpty || mayBeEmpty else {
            throw CommandFailure(.notFound, "The emulator has no trips to follow. Name one that it is going to have.")
        }
        self.trips = trips
        isAnnounced = ready != nil && ids.allSatisfy(announced.contains)
        let flag = options.service.providerId
        let project = flag ?? ready?.file.providerId ?? settings.providerID
        provider = try TripName.provider(of: named, configured: project, isFlag: flag != nil)
        access = try await ServiceAccess(
            options.service,
            fleetEngineURL: ready?.file.fleetEngineURL,
            announced: ready.map { AnnouncedEndpoint($0.file, url: $0.file.tokenURL) },
            settings: settings
        )
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
            throw CommandFailure(
                .usage,
                "Whose trips? Name the Google Cloud project with --provider-id, or in TRIPSHARE_PROVIDER_ID."
            )
        }
        if let other = providers.first(where: { $0 != project }) {
            throw CommandFailure(.usage, "A trip belongs to the project \(shown(other)), not to \(shown(project)).")
        }
        return try TokenSubject.checked(project, "provider", ProviderID.init)
    }
}
