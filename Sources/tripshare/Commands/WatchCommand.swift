import ArgumentParser
import Failures
import FleetTokens
import Foundation
import HTTPTransport
import HTTPTransportLive
import TripFeed
import TripModel
import TripText

/// `tripshare watch`: follows trips of a Fleet Engine.
struct WatchCommand: AsyncParsableCommand, TargetCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow trips of a Fleet Engine."
    )

    @OptionGroup var target: TargetOptions

    @OptionGroup var service: ServiceOptions

    @OptionGroup var source: TokenSourceOptions

    @OptionGroup var answer: TokenAnswerOptions

    @OptionGroup var transport: TransportOptions

    @Option(
        help: ArgumentHelp(
            """
            A file with one trip per line, watched for changes; - reads standard input line by line, where -ID \
            removes a trip.
            """,
            valueName: "file"
        )
    )
    var tripsFile: String?

    @Flag(
        help: """
            Follow all active trips of the project. Searches with a server token read their statuses; the shown trip and \
            the trips on the command line are polled at the full rate, moving ones as the quota permits.
            """
    )
    var all = false

    @OptionGroup var server: ServerTokenOptions

    @Option(
        help: ArgumentHelp(
            """
            Follow a log instead of polling: a file or pipe with Cloud Logging entries as JSON, or - for standard \
            input; shows what driver, server and rider saw.
            """,
            valueName: "file"
        )
    )
    var log: String?

    @Flag(help: "Keep reading the --log file as it grows, like tail -F; always on with the screen.")
    var follow = false

    @Option(
        help: ArgumentHelp("Seconds to wait for a trip that does not exist yet (default: 60).", valueName: "seconds")
    )
    var wait: Double?

    @Option(
        help: ArgumentHelp(
            "Maximum polls per minute for all trips together; more trips lengthen the interval (default: 6000 for Google's).",
            valueName: "polls"
        )
    )
    var quota: Int?

    @OptionGroup var certificates: CertificateOptions

    @OptionGroup var session: SessionOptions

    @OptionGroup var display: DisplayOptions

    @OptionGroup var expectations: ExpectationOptions

    @OptionGroup var notices: NoticeOptions

    @OptionGroup var metrics: MetricsOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var debugging: DebuggingOptions

    /// The accepted values of the request quota, in requests per minute.
    static let quotas = 1...1_000_000

    func validate() throws {
        try session.check(display)
        try require(!all || (tripsFile == nil && log == nil && session.until == nil), .usageAll)
        if tripsFile == nil, log == nil, !all { try requireTrips() }
        try require(!follow || (log != nil && log != "-" && !session.once), .usageFollow)
        try validateLog()
        try require(tripsFile != "-" || session.output != .tui, .usageStandardInput)
        try require(quota.isNilOrIn(Self.quotas), .usageQuota)
        try require(wait.isNilOrIn(0..<1e9), .usageWait)
    }

    func run() async throws {
        let settings = try Settings.load()
        if let log { return try await follow(log: log, settings) }
        let target = try await Target(self, settings: settings, mayBeEmpty: tripsFile != nil || all)
        let (trips, file) = try trips(of: target)
        try await withLiveHTTPTransport(target.connections) { transport in
            let server = try await server.origin(of: target, service, settings)
            try await target.calls.run(to: target.endpoint, over: transport) { calls in
                var configuration = try configuration(target, trips, file, settings, server, transport, calls)
                if all { configuration = try await following(configuration) }
                try await run(configuration)
                await configuration.serverTokens?.close()
            }
        }
    }

    /// Runs a session, and serves its metrics meanwhile.
    private func run(_ configuration: SessionConfiguration) async throws {
        guard metrics.metricsPort != nil else { return try await SessionRunner.run(configuration) }
        var (configuration, page) = (configuration, MetricsPage())
        let counts = SessionMetrics(
            page.registry,
            clock: configuration.clock,
            tokens: configuration.tokens,
            serverTokens: configuration.serverTokens
        )
        configuration.metrics = counts
        page.refresh = { counts.refresh() }
        try await page.serve(metrics) { [configuration] url in
            // Standard output has the events of the session.
            if let url { Printing.warning(.metricsServed, ["url": url]) }
            try await SessionRunner.run(configuration)
        }
    }

    /// Returns the configuration for all active trips of the project; with `--once`, for those that are active now.
    ///
    /// Throws a ``CommandFailure`` if the trips can't be listed, before a screen opens.
    private func following(_ configuration: SessionConfiguration) async throws -> SessionConfiguration {
        var configuration = configuration
        let listing = try await configuration.countingAgainstTimeout {
            let configuration = $0
            return try await configuration.activeTrips(pages: session.once ? TripListing.mostPages : 1) { search in
                guard configuration.output.form == .json else { return }
                var output = JSONOutput(configuration)
                output.update(search, at: configuration.clock.now())
            }
        }
        guard session.once else {
            configuration.followsProject = true
            return configuration
        }
        let listed = listing.trips.map(\.id).filter { !configuration.trips.contains($0) }
        configuration.trips += listed.prefix(TripsFile.limit)
        guard !configuration.trips.isEmpty else {
            throw CommandFailure(.notFound, .tripsNone, ["project": excerpt(configuration.provider.rawValue)])
        }
        return configuration
    }

    /// Returns the trips of the flags and the trips file, and the file.
    private func trips(of target: Target) throws(CommandFailure) -> ([TripID], TripsFile?) {
        // The trips that an emulator announces are among those of its project.
        if all, self.target.trips.isEmpty { return ([], nil) }
        guard let tripsFile else { return (target.trips, nil) }
        // With a trips file, do not add the emulator's own trips.
        let named = self.target.trips.isEmpty ? [] : target.trips
        let file = TripsFile(path: tripsFile, named: named, provider: target.provider)
        var seen = Set(named)
        let trips = named + (try file.trips()).filter { seen.insert($0).inserted }
        // Standard input ends, but a file could stay empty for ever.
        guard !trips.isEmpty || !session.once || file.isStandardInput else {
            throw CommandFailure(.badInput, .failureTripsEmpty, ["file": excerpt(path: tripsFile)])
        }
        return (trips, file)
    }

    private func configuration(
        _ target: Target,
        _ trips: [TripID],
        _ file: TripsFile?,
        _ settings: Settings,
        _ server: TokenOrigin?,
        _ transport: HTTPTransport,
        _ calls: FleetTransport
    ) throws(CommandFailure) -> SessionConfiguration {
        var session = session
        // The screen needs standard input for its keys, but the trips come from there.
        if tripsFile == "-", session.output == nil { session.output = .plain }
        let client = ClientFaults(clock: target.clock) { [clock = target.clock] in try await clock.sleep(real: $0) }
        var configuration = SessionConfiguration(
            session,
            settings,
            output: OutputConfiguration(session, display, settings),
            trips: trips,
            provider: target.provider,
            endpoint: target.endpoint,
            tokens: (client.source(target.source(transport: transport)), target.policy),
            transport: client.transport(transport, polling: target.endpoint.baseURL),
            clock: target.clock,
            seed: .random(in: .min ... .max)
        )
        if target.endpoint.protocol == .grpc { configuration.calls = client.transport(calls) }
        configuration.tripsFile = file
        configuration.notices = notices.rules
        configuration.noticeEnvironment = source.environmentWithoutTokens
        configuration.serverTokens = server.map { origin in
            TokenProvider(
                source: origin.source(transport: transport, clock: target.clock, format: target.access.format),
                clock: target.clock,
                policy: target.policy,
                seed: .random(in: .min ... .max)
            )
        }
        configuration.certificates = try certificates.certificates(
            announced: target.emulator?.ready.certificatesURL,
            settings: settings,
            allowPlainHTTP: service.allowPlainHttp,
            over: transport
        )
        configuration.requestsPerMinute = quota ?? settings.quota ?? target.endpoint.requestsPerMinute
        // Without `--wait`: wait without limit for trips that an emulator has announced, because it will create them.
        configuration.creationTimeout = wait.map { .seconds($0) } ?? (target.isAnnounced ? nil : .seconds(60))
        // Do not store the trips of an emulator: they cease to exist when it ends.
        if !target.isAnnounced {
            configuration.history = TripHistory(
                provider: target.provider,
                environment: ProcessContext.current.environment
            )
        }
        configuration.emulator = target.emulator
        configuration.faults = FaultSwitch(
            client: client,
            emulator: target.emulator?.ready.controlURL.map { url in
                // The emulator wrote the IDs into its ready file, so they are valid.
                .init(
                    controlURL: url,
                    vehicles: target.emulator?.ready.vehicleIds.compactMap { try? VehicleID($0) } ?? []
                )
            },
            transport: transport
        )
        try configuration.readExpectations(expectations)
        configuration.ride = target.emulator?.ready.controlURL.map { RideHandle(controlURL: $0, transport: transport) }
        return configuration
    }
}
