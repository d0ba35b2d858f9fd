import ArgumentParser
import Failures
import FleetTokens
import Foundation
import TransportLive
import TripFeed
import TripModel
import TripText

/// What one of the commands that follow trips or shipments has for itself: its names, its own options and its steps.
protocol FollowSubject: ParsableArguments, Sendable {
    static var configuration: CommandConfiguration { get }
    /// What an ID without its collection names.
    static var kind: JourneyKind { get }
    /// The trips and shipments on the command line.
    var names: [JourneyName] { get }

    func validate(_ command: FollowCommand<Self>) throws
    func run(_ command: FollowCommand<Self>) async throws
}

/// A command that follows trips or shipments.
///
/// It declares what its subjects share itself, not in a group of groups: in a debug build, the parser reads the declarations
/// of a group four times for each level above it.
struct FollowCommand<Subject: FollowSubject>: AsyncParsableCommand, TargetCommand {
    static var configuration: CommandConfiguration { Subject.configuration }
    static var kind: JourneyKind { Subject.kind }

    @OptionGroup var service: ServiceOptions

    @OptionGroup var tokenSource: TokenSourceOptions

    @Option(\.trackingTokenURL) var trackingTokenUrl: String?

    @OptionGroup var answer: TokenAnswerOptions

    @OptionGroup var transport: TransportOptions

    @Option(
        help: ArgumentHelp(
            """
            A file with one trip or shipment per line, watched for changes; - reads standard input line by line, \
            which can remove trips, too.
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

    @OptionGroup var subject: Subject

    func validate() throws {
        try session.check(display)
        try require(tripsFile != "-" || session.output != .tui, .usageStandardInput)
        try SettingRows.all.quota.check(quota)
        try require(wait.isNilOrIn(0..<1e9), .usageWait)
        try require(trackingTokenUrl == nil || tokenSource.isEndpoint, .usageTrackingTokenURL)
        try subject.validate(self)
    }

    func run() async throws { try await subject.run(self) }

    var names: [JourneyName] { subject.names }
    /// The token source of the flags; a URL for shipments alone is that for everything.
    var source: TokenSourceOptions {
        var source = tokenSource
        source.tokenUrl = source.tokenUrl ?? (source.isUnset && Self.kind == .shipment ? trackingTokenUrl : nil)
        return source
    }
    var trackingTokenURL: String? { trackingTokenUrl }

    /// Returns the trips and shipments of the flags and the trips file, and the file.
    func trips(of target: Target) throws(CommandFailure) -> ([JourneyID], TripsFile?) {
        guard let tripsFile else { return (target.trips, nil) }
        // With a trips file, do not add the emulator's own trips.
        let named = names.isEmpty ? [] : target.trips
        let file = TripsFile(path: tripsFile, named: named, provider: target.provider, kind: Self.kind)
        var seen = Set(named)
        let trips = named + (try file.trips()).filter { seen.insert($0).inserted }
        // Standard input ends, but a file could stay empty for ever.
        guard !trips.isEmpty || !session.once || file.isStandardInput else {
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
        if target.endpoint.protocol == .grpc {
            configuration.calls = client.transport(calls.naming(faultsOf: target.marks))
        }
        configuration.source = .polls(file: file)
        notices.apply(try notices.receivers(), to: &configuration)
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
            allowPlainHTTP: network.allowPlainHttp,
            over: transport
        )
        configuration.requestsPerMinute = settings.resolve(\.quota, quota) ?? target.endpoint.requestsPerMinute
        // Without `--wait`: wait without limit for trips that an emulator has announced, because it will create them.
        configuration.attemptTimeout = wait.map { .seconds($0) }
        configuration.creationTimeout = wait.map { .seconds($0) } ?? (target.isAnnounced ? nil : .seconds(60))
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
        try configuration.readExpectations(expectations)
        configuration.ride = target.emulator?.ready.controlURL.map { RideHandle(controlURL: $0, transport: transport) }
        return configuration
    }
}
