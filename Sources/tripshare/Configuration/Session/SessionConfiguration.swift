import Failures
import FleetEmulator
import FleetTokens
import TokenSigning
import TripFeed
import TripModel

/// The configuration and dependencies of a session: from the flags, the environment, the configuration file and a ready file.
struct SessionConfiguration: Sendable {
    /// The trips in the order given; at least one, unless the source may add more.
    var trips: [JourneyID]
    /// Where the events come from.
    var source = SessionSource.polls(file: nil)
    /// The project that owns the trips.
    let provider: ProviderID
    /// The service.
    let endpoint: ServiceEndpoint
    /// The token provider.
    let tokens: TokenProvider
    /// Provides server tokens, which list the trips of the project; `nil` without a source for them.
    var serverTokens: TokenProvider?
    /// The HTTP transport.
    var transport: HTTPTransport
    /// Sends the calls to the service; `nil` for REST over ``transport``.
    var calls: FleetTransport?
    /// The searches for the trips of the project before the session; what failed of them has been reported.
    var searches: [SearchEvent] = []
    /// Passes the searches that a user asks for on the screen to the session.
    let requestedSearches = SearchRelay()
    /// The certificates that verify the signature of a refused token; `nil` skips the check.
    var certificates: IssuerCertificates?
    /// The clock of the process.
    let clock: ScaledClock
    /// The output format and its settings.
    let output: OutputConfiguration
    /// The requested poll interval.
    let interval: Duration
    /// The maximum number of requests per minute for all trips together; `nil` for no limit.
    var requestsPerMinute: Int?
    /// The thresholds above which findings are reported: from the flags, else the settings, else the defaults; in a replay, the
    /// thresholds of the recording.
    var limits: FindingLimits
    /// The fields that no answer contains, because a log format may lack them.
    var absentFields: Set<TripField> = []
    /// ``absentFields`` and those that the emulator has announced.
    var allAbsentFields: Set<TripField> {
        absentFields.union(emulator?.ready.absentFields?.compactMap(TripField.init(rawValue:)) ?? [])
    }
    /// How long to wait for a trip that does not exist yet; `nil` for no limit.
    var creationTimeout: Duration?
    /// How long to wait for the next attempt at a shipment that was closed without success; `nil` for the default.
    var attemptTimeout: Duration?
    /// What the session waits for.
    let goal: CompletionTracker.Goal
    /// The timeout in real time.
    var timeout: Duration?
    /// The random seed.
    let seed: UInt64
    /// The file in which the session is recorded; `nil` for none.
    var recordingPath: String?
    /// The file for the page of the session; `nil` for none.
    var sharePath: String?
    /// Collects what the page says in a session without a screen; `nil` until ``SessionRunner`` creates it.
    var shared: SharedSession?
    /// Records the session; `nil` until ``SessionRunner`` creates it, and if nothing can be saved.
    var recorder: SessionRecorder?
    /// The calls of the drivers of a demo; `nil` without one.
    var driverCalls: DriverCallRelay?
    /// The notes, marks and switched faults of the session.
    let remarks = RemarkLog()
    /// Whether each trip is polled once, or only its last state in a log or a recording is shown.
    let isSummary: Bool
    /// The history of followed trips; `nil` to store none.
    var history: TripHistory?
    /// The ready file of an emulator in another process, whose clock is mirrored.
    var emulator: (ready: ReadyFile, path: String)?
    /// Changes the emulator's clock; `nil` if it cannot be changed.
    var ride: RideHandle?
    /// The programs and addresses that receive events, besides the output.
    var notices: [NoticeReceiver] = []
    /// The environment of the commands of ``notices``.
    var noticeEnvironment: [String: String] = [:]
    /// How long a notice that cannot be delivered is sent again, in real time.
    var noticeTime = Duration.seconds(3600)
    /// How long the end of the session waits for deliveries, in real time.
    var noticeWait = Duration.seconds(10)
    /// The captions of the scenario; `nil` if none is played.
    var captions: AsyncStream<SceneCaption>?
    /// Guides through a stage of the tour; `nil` without `--tour`.
    var tour: TourGuide?
    /// Connects a presenter's console with the screen; `nil` without `--console`.
    var presenter: PresenterLink?
    /// Checks the expectations of the scenario; `nil` if none is played or they are not checked.
    var watch: SceneWatch?
    /// Switches the faults that the tester injects; `nil` without a screen.
    var faults: FaultSwitch?
    /// The expectations of the tester; `nil` without `--expect`.
    var expectations: ExpectationWatch?
    /// What an open screen says first; `nil` for nothing.
    var announcement: String?
    /// Counts the events of the session; `nil` without `--metrics-port`.
    var metrics: SessionMetrics?

    /// Combines the flags and settings with what the commands differ in; the other properties have defaults.
    ///
    /// An unreachable token source is retried within one poll interval.
    init(
        _ options: SessionOptions,
        _ settings: Settings,
        output: OutputConfiguration,
        trips: [JourneyID],
        provider: ProviderID,
        endpoint: ServiceEndpoint,
        tokens: (source: any TokenSource, policy: TokenPolicy),
        transport: HTTPTransport,
        clock: ScaledClock,
        seed: UInt64
    ) {
        self.trips = trips
        self.provider = provider
        self.endpoint = endpoint
        self.transport = transport
        self.clock = clock
        self.output = output
        self.seed = seed
        interval = .seconds(settings.resolve(\.interval, options.interval))
        limits = FindingLimits(settings.thresholds + options.threshold)
        goal = options.goal
        isSummary = options.once
        recordingPath = options.record
        sharePath = options.share
        timeout = options.timeout.map { .seconds($0) }
        self.tokens = TokenProvider(
            source: tokens.source,
            clock: clock,
            policy: tokens.policy.polling(every: max(interval, endpoint.shortestInterval)),
            seed: seed
        )
    }

    /// Sends the calls to the service.
    var fleet: FleetTransport { calls ?? .rest(transport, at: endpoint) }

    /// Whether only the last state of each trip of a recording is shown.
    var isSummaryOfReplay: Bool { isSummary && source.replay != nil }

    /// Whether trips may be added while the session runs.
    var isOpen: Bool { source.isOpen(named: !trips.isEmpty) }

    /// Creates a feed that reports events to a closure; with `staysOpen`, trips may be added while it runs.
    ///
    /// `searched` is called with each page of a search for the trips of the project, and with each failed one.
    func feed(
        staysOpen: Bool = false,
        report: @escaping @Sendable (FeedEvent) -> Void,
        searched: @escaping @Sendable (SearchEvent) -> Void
    ) -> TripFeed {
        let report: @Sendable (FeedEvent) -> Void = { [recorder] event in
            guard let recorder else { return report(event) }
            recorder.record(.feed(event)) { _ in report(event) }
        }
        driverCalls?.connect(trips: Set(trips), report)
        if source.isProject, let server = serverClient {
            return projectFeed(with: server, report: report, searched: searched)
        }
        var policy = Planner.Policy(
            interval: interval,
            shortestInterval: endpoint.shortestInterval,
            creationTimeout: creationTimeout
        )
        policy.requestsPerMinute = requestsPerMinute
        if let attemptTimeout { policy.polling.attemptTimeout = attemptTimeout }
        var options = TripFeed.Options(provider: provider, policy: policy, seed: seed)
        options.limits = limits
        options.absent = allAbsentFields
        options.staysOpen = staysOpen || source.tripsFile != nil
        return TripFeed(
            // A replay and a log have no polls.
            trips: source.polls ? trips : [],
            options: options,
            client: FleetClient(
                endpoint: endpoint,
                tokens: tokens,
                transport: fleet,
                clock: clock,
                certificates: certificates
            ),
            clock: clock,
            report: report
        )
    }
}
