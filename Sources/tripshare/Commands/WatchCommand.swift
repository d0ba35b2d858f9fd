import ArgumentParser
import FleetTokens
import Foundation
import HTTPTransport
import HTTPTransportLive
import TripFeed
import TripModel

/// `tripshare watch`: follows trips of a Fleet Engine.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow trips."
    )

    @OptionGroup var target: TargetOptions

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

    @OptionGroup var follow: FollowOptions

    @OptionGroup var debugging: DebuggingOptions

    /// The accepted values of the request quota, in requests per minute.
    static let quotas = 1...1_000_000

    func validate() throws {
        if tripsFile == nil { try target.requireTrips() }
        if tripsFile == "-", follow.output == .tui {
            throw ValidationError("Standard input can't be both the keys and the trips: use --output plain or json.")
        }
        if let quota, !Self.quotas.contains(quota) {
            throw ValidationError("--quota takes a whole number of polls a minute from 1 to 1000000.")
        }
        if let wait, !(wait >= 0 && wait < 1e9) { throw ValidationError("--wait takes a number of seconds.") }
    }

    func run() async throws {
        let settings = try await Settings.load()
        let plan = try await WatchPlan(self, settings: settings)
        let proxies = ProxySettings(environment: ProcessInfo.processInfo.environment)
        try await withLiveHTTPTransport(proxies: proxies) { transport in
            var configuration = plan.configuration(transport: transport)
            configuration.certificates = try certificates.certificates(
                announced: plan.target.emulator?.ready.certificatesURL,
                settings: settings,
                allowPlainHTTP: target.service.allowPlainHttp,
                over: transport
            )
            try await Follow.run(configuration, options: plan.options, settings: settings)
        }
    }
}

/// The validated inputs of `watch`: flags, environment, configuration file and ready file.
struct WatchPlan: Sendable {
    let target: Target
    let trips: [TripID]
    let tripsFile: TripsFile?
    let patience: Duration?
    let interval: Duration
    let quota: Int?
    let limits: FindingLimits
    let options: FollowOptions

    /// Combines the inputs; throws a ``CommandFailure`` for the first invalid one.
    init(_ command: WatchCommand, settings: Settings) async throws {
        target = try await Target(command.target, settings: settings, mayBeEmpty: command.tripsFile != nil)
        // Without `--wait`: wait without limit for trips that an emulator has announced, because it will create them.
        patience = command.wait.map { .seconds($0) } ?? (target.isAnnounced ? nil : .seconds(60))
        interval = .seconds(command.follow.interval ?? settings.interval ?? 5)
        quota = command.quota ?? settings.quota ?? target.endpoint.requestsPerMinute
        limits = command.follow.limits(settings)
        var options = command.follow
        // The screen needs standard input for its keys, but the trips come from there.
        if command.tripsFile == "-", options.output == nil { options.output = .plain }
        self.options = options
        if let path = command.tripsFile {
            // With a trips file, do not add the emulator's own trips.
            let named = command.target.trips.isEmpty ? [] : target.trips
            let file = TripsFile(path: path, named: named, provider: target.provider)
            var seen = Set(named)
            trips = named + (try file.trips()).filter { seen.insert($0).inserted }
            tripsFile = file
        } else {
            trips = target.trips
            tripsFile = nil
        }
    }

    /// Builds the session configuration on top of a transport.
    func configuration(transport: HTTPTransport) -> SessionConfiguration {
        SessionConfiguration(
            trips: trips,
            tripsFile: tripsFile,
            provider: target.provider,
            endpoint: target.endpoint,
            tokens: TokenProvider(
                source: target.source(transport: transport),
                clock: target.clock,
                policy: target.policy.polling(every: max(interval, target.endpoint.shortestInterval)),
                seed: .random(in: .min ... .max)
            ),
            transport: transport,
            clock: target.clock,
            interval: interval,
            requestsPerMinute: quota,
            limits: limits,
            creationPatience: patience,
            goal: options.goal,
            timeout: options.timeout.map { .seconds($0) },
            seed: .random(in: .min ... .max),
            // Do not store the trips of an emulator: they cease to exist when it ends.
            history: target.isAnnounced
                ? nil : TripHistory(provider: target.provider, environment: ProcessInfo.processInfo.environment),
            emulator: target.emulator,
            ride: target.emulator?.ready.controlURL.map { RideHandle(controlURL: $0, transport: transport) }
        )
    }
}
