import ArgumentParser
import FleetTokens
import HTTPTransport
import TripFeed
import TripModel

/// Which trips, of which service, with tokens from where.
struct TargetOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The IDs of the trips, bare or as providers/…/trips/….", valueName: "trip"))
    var trips: [String] = []

    @OptionGroup var service: ServiceOptions

    /// Throws a usage error where there is nothing that names a trip.
    func requireTrips() throws {
        guard service.emulator != nil || !trips.isEmpty else {
            throw ValidationError("Name at least one trip, or an emulator's ready file with --emulator.")
        }
    }
}

/// What the flags, the environment, the configuration and a ready file say about the trips to ask for, checked.
struct Target: Sendable {
    /// The trips, each once.
    let trips: [TripID]
    /// The project that owns them.
    let provider: ProviderID
    /// The way to the service.
    let access: ServiceAccess
    /// The clock, which is an emulator's where its ready file was named.
    let clock: ScaledClock
    /// The emulator's ready file, and where it is.
    let emulator: (ready: ReadyFile, path: String)?
    /// Whether an emulator has announced all the trips.
    let isAnnounced: Bool

    /// The service.
    var endpoint: ServiceEndpoint { access.endpoint }
    /// How tokens are used.
    var policy: TokenPolicy { access.policy }

    /// Puts everything together; throws ``CommandFailure`` with the first thing that does not fit.
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

    /// Where the tokens come from, over a transport.
    func source(transport: HTTPTransport) -> any TokenSource {
        access.source(transport: transport, clock: clock)
    }
}

extension TripName {
    /// The one project that all trips belong to: the flag's, else that of the names, else the configured one.
    ///
    /// Throws ``CommandFailure`` where there is none, or names contradict it.
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
