import ArgumentParser
import Failures
import FleetTokens
import Foundation
import TransportLive
import TripFeed
import TripModel
import TripText

/// The options of the commands that follow trips or shipments.
struct FollowOptions: ParsableArguments {
    @OptionGroup var service: ServiceOptions

    @OptionGroup var source: TokenSourceOptions

    @Option(\.trackingTokenURL) var trackingTokenUrl: String?

    @OptionGroup var answer: TokenAnswerOptions

    @OptionGroup var transport: TransportOptions

    @Option(
        help: ArgumentHelp(
            """
            A file with one trip or shipment per line, watched for changes; - reads standard input line by line, where \
            -ID removes one.
            """,
            valueName: "file"
        )
    )
    var tripsFile: String?

    @Option(
        help: ArgumentHelp(
            "Seconds to wait for a trip or a shipment that does not exist yet (default: 60), or for the next attempt at one that was closed (default: 600).",
            valueName: "seconds"
        )
    )
    var wait: Double?

    @Option(\.quota) var quota: Int?

    @OptionGroup var certificates: CertificateOptions

    @OptionGroup var session: SessionOptions

    @OptionGroup var display: DisplayOptions

    @OptionGroup var expectations: ExpectationOptions

    @OptionGroup var notices: NoticeOptions

    @OptionGroup var metrics: MetricsOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        try session.check(display)
        try require(tripsFile != "-" || session.output != .tui, .usageStandardInput)
        try SettingRows.all.quota.check(quota)
        try require(wait.isNilOrIn(0..<1e9), .usageWait)
        try require(trackingTokenUrl == nil || source.isEndpoint, .usageTrackingTokenURL)
    }
}

/// A command that follows trips or shipments.
protocol FollowCommand: TargetCommand {
    var options: FollowOptions { get }
}

extension FollowCommand {
    var service: ServiceOptions { options.service }
    /// The token source of the flags; a URL for shipments alone is that for everything.
    var source: TokenSourceOptions {
        var source = options.source
        source.tokenUrl = source.tokenUrl ?? (source.isUnset && Self.kind == .shipment ? options.trackingTokenUrl : nil)
        return source
    }
    var answer: TokenAnswerOptions { options.answer }
    var network: NetworkOptions { options.network }
    var transport: TransportOptions { options.transport }
    var trackingTokenURL: String? { options.trackingTokenUrl }

    /// Returns the trips and shipments of the flags and the trips file, and the file.
    func trips(of target: Target) throws(CommandFailure) -> ([JourneyID], TripsFile?) {
        guard let tripsFile = options.tripsFile else { return (target.trips, nil) }
        // With a trips file, do not add the emulator's own trips.
        let named = names.isEmpty ? [] : target.trips
        let file = TripsFile(path: tripsFile, named: named, provider: target.provider, kind: Self.kind)
        var seen = Set(named)
        let trips = named + (try file.trips()).filter { seen.insert($0).inserted }
        // Standard input ends, but a file could stay empty for ever.
        guard !trips.isEmpty || !options.session.once || file.isStandardInput else {
            throw CommandFailure(.badInput, .failureTripsEmpty(file: excerpt(path: tripsFile)))
        }
        return (trips, file)
    }

    /// Returns the configuration of a session.
    func configuration(
        _ target: Target,
        _ trips: [JourneyID],
        _ file: TripsFile?,
        _ settings: Settings,
        _ server: TokenOrigin?,
        _ transport: HTTPTransport,
        _ calls: FleetTransport
    ) throws(CommandFailure) -> SessionConfiguration {
        var session = options.session
        // The screen needs standard input for its keys, but the trips come from there.
        if options.tripsFile == "-", session.output == nil { session.output = .plain }
        let client = ClientFaults(clock: target.clock) { [clock = target.clock] in try await clock.sleep(real: $0) }
        var configuration = SessionConfiguration(
            session,
            settings,
            output: OutputConfiguration(session, options.display, settings),
            trips: trips,
            provider: target.provider,
            endpoint: target.endpoint,
            tokens: (client.source(target.source(transport: transport)), target.policy),
            transport: client.transport(transport, polling: target.endpoint.baseURL),
            clock: target.clock,
            seed: .random(in: .min ... .max)
        )
        if target.endpoint.protocol == .grpc {
            configuration.calls = client.transport(calls.naming(faultsOf: target.marks))
        }
        configuration.source = .polls(file: file)
        configuration.notices = options.notices.rules
        configuration.noticeEnvironment = options.notices.environment
        configuration.serverTokens = server.map { origin in
            TokenProvider(
                source: origin.source(transport: transport, clock: target.clock, format: target.access.format),
                clock: target.clock,
                policy: target.policy,
                seed: .random(in: .min ... .max)
            )
        }
        configuration.certificates = try options.certificates.certificates(
            announced: target.emulator?.ready.certificatesURL,
            settings: settings,
            allowPlainHTTP: network.allowPlainHttp,
            over: transport
        )
        configuration.requestsPerMinute = settings.resolve(\.quota, options.quota) ?? target.endpoint.requestsPerMinute
        // Without `--wait`: wait without limit for trips that an emulator has announced, because it will create them.
        configuration.attemptTimeout = options.wait.map { .seconds($0) }
        configuration.creationTimeout = options.wait.map { .seconds($0) } ?? (target.isAnnounced ? nil : .seconds(60))
        // Do not store the trips of an emulator: they cease to exist when it ends.
        if !target.isAnnounced {
            configuration.history = TripHistory(
                provider: target.provider,
                environment: ProcessContext.current.environment
            )
        }
        configuration.emulator = target.emulator
        target.marks?.explainClosing { [client] in client.emulatedClosing(of: $0) }
        configuration.faults = FaultSwitch(
            client: client,
            emulator: target.emulator.flatMap { emulator in
                emulator.ready.controlURL.map {
                    EmulatorFaults(controlURL: $0, vehicles: emulator.ready.drivenVehicles, transport: transport)
                }
            }
        )
        configuration.announcement = settings.announcement
        try configuration.readExpectations(options.expectations)
        configuration.ride = target.emulator?.ready.controlURL.map { RideHandle(controlURL: $0, transport: transport) }
        return configuration
    }
}
