import ArgumentParser
import FleetTokens
import Foundation
import HTTPTransport
import HTTPTransportLive
import TripFeed
import TripModel
import TripScreen

/// `tripshare watch`: follows trips of a Fleet Engine.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow trips of a Fleet Engine."
    )

    @Argument(help: ArgumentHelp("The IDs of the trips, bare or as providers/…/trips/….", valueName: "trip"))
    var trips: [String] = []

    @Option(help: ArgumentHelp("Take all that is needed from the ready file of tripshare emulate.", valueName: "file"))
    var emulator: String?

    @Option(help: ArgumentHelp("The Google Cloud project that owns the trips.", valueName: "id"))
    var providerId: String?

    @Option(help: ArgumentHelp("The Fleet Engine (default: \(ServiceEndpoint.google)).", valueName: "url"))
    var fleetEngineUrl: String?

    @OptionGroup var source: TokenSourceOptions

    @OptionGroup var answer: TokenAnswerOptions

    @Flag(help: "Allow plain http to other machines than this one.")
    var allowPlainHttp = false

    @Option(
        help: ArgumentHelp("Seconds to wait for a trip that does not exist yet (default: 60).", valueName: "seconds")
    )
    var wait: Double?

    @OptionGroup var follow: FollowOptions

    func validate() throws {
        guard emulator != nil || !trips.isEmpty else {
            throw ValidationError("Name at least one trip, or an emulator's ready file with --emulator.")
        }
        if let wait, !(wait >= 0 && wait < 1e9) { throw ValidationError("--wait takes a number of seconds.") }
    }

    func run() async throws {
        let settings = try await Settings.load()
        let plan = try await WatchPlan(self, settings: settings)
        let proxies = ProxySettings(environment: ProcessInfo.processInfo.environment)
        try await withLiveHTTPTransport(proxies: proxies) { transport in
            try await Follow.run(plan.following(transport: transport), options: plan.options)
        }
    }
}

/// What `watch` was told by its flags, the environment, the configuration and a ready file, checked.
struct WatchPlan: Sendable {
    let trips: [TripID]
    let provider: ProviderID
    let endpoint: ServiceEndpoint
    let origin: TokenOrigin
    let format: TokenAnswerFormat
    let clock: ScaledClock
    let patience: Duration?
    let interval: Duration
    let options: FollowOptions
    private let policy: TokenPolicy

    /// Puts everything together; throws ``CommandFailure`` with the first thing that does not fit.
    init(_ command: WatchCommand, settings: Settings) async throws {
        let ready = try command.emulator.map(ReadyFile.read)
        clock = ready.map { ScaledClock(anchor: $0.anchor) } ?? ScaledClock(speed: 1)

        let named = try command.trips.map(Self.trip)
        let announced = ready?.file.tripIds ?? []
        let ids = named.isEmpty ? announced : named.map(\.id)
        var trips: [TripID] = []
        for id in ids {
            let trip = try TokenSubject.checked(id, "trip", TripID.init)
            if !trips.contains(trip) { trips.append(trip) }
        }
        guard !trips.isEmpty else {
            throw CommandFailure(.notFound, "The emulator has no trips to follow. Name one that it is going to have.")
        }
        self.trips = trips

        let providers = Set(named.compactMap(\.provider))
        guard
            let project = command.providerId ?? (providers.count == 1 ? providers.first : nil)
                ?? ready?.file.providerId ?? settings.providerID
        else {
            throw CommandFailure(
                .usage,
                "Whose trips? Name the Google Cloud project with --provider-id, or in TRIPSHARE_PROVIDER_ID."
            )
        }
        if let other = providers.first(where: { $0 != project }) {
            throw CommandFailure(.usage, "A trip belongs to the project \(shown(other)), not to \(shown(project)).")
        }
        provider = try TokenSubject.checked(project, "provider", ProviderID.init)

        let allowPlain = command.allowPlainHttp
        let url =
            command.fleetEngineUrl ?? ready?.file.fleetEngineURL ?? settings.fleetEngineURL ?? ServiceEndpoint.google
        do {
            endpoint = try ServiceEndpoint(url, allowPlainHTTP: allowPlain)
        } catch {
            throw CommandFailure(.badConfiguration, Sentence(error).text)
        }
        origin = try await TokenOrigin(
            command.source,
            fallbackURL: ready?.file.tokenURL ?? settings.tokenURL,
            allowPlainHTTP: allowPlain
        )
        format = TokenAnswerFormat(
            command.answer,
            creationKey: command.source.tokenCreationKey,
            settings: settings
        )
        // An emulator creates what it has announced, however long that takes.
        let isAnnounced = ready != nil && ids.allSatisfy(announced.contains)
        patience = command.wait.map { .seconds($0) } ?? (isAnnounced ? nil : .seconds(60))
        interval = .seconds(command.follow.interval ?? settings.interval ?? 5)
        options = command.follow
        policy = command.source.policy
    }

    /// All wired up over a transport.
    func following(transport: HTTPTransport) -> Following {
        Following(
            trips: trips,
            provider: provider,
            endpoint: endpoint,
            tokens: TokenProvider(
                source: origin.source(transport: transport, clock: clock, format: format),
                clock: clock,
                policy: policy,
                seed: .random(in: .min ... .max)
            ),
            transport: transport,
            clock: clock,
            interval: interval,
            creationPatience: patience,
            goal: options.goal,
            timeout: options.timeout.map { .seconds($0) },
            seed: .random(in: .min ... .max)
        )
    }

    /// A trip by its bare ID or its full name.
    private static func trip(_ text: String) throws -> (id: String, provider: String?) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 4, parts[0] == "providers", parts[2] == "trips" { return (parts[3], parts[1]) }
        return (text, nil)
    }
}
