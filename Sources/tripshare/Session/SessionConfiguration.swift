import FleetEmulator
import FleetTokens
import HTTPTransport
import TripFeed
import TripModel

/// The configuration and dependencies of a session.
struct SessionConfiguration: Sendable {
    /// The trips in the order given; at least one, unless a file may add more.
    var trips: [TripID]
    /// The file that adds and removes trips while the program runs.
    var tripsFile: TripsFile?
    /// The project that owns the trips.
    var provider: ProviderID
    /// The service.
    var endpoint: ServiceEndpoint
    /// The token provider.
    var tokens: TokenProvider
    /// The HTTP transport.
    var transport: HTTPTransport
    /// The certificates that verify the signature of a refused token; `nil` skips the check.
    var certificates: IssuerCertificates?
    /// The clock of the process.
    var clock: ScaledClock
    /// The requested poll interval.
    var interval: Duration
    /// The maximum number of requests per minute for all trips together; `nil` for no limit.
    var requestsPerMinute: Int?
    /// The thresholds above which findings are reported.
    var limits: FindingLimits
    /// The fields that no answer contains, because a log format may lack them.
    var absentFields: Set<TripField> = []
    /// How long to wait for a trip that does not exist yet; `nil` for no limit.
    var creationPatience: Duration?
    /// What the session waits for.
    var goal: CompletionTracker.Goal
    /// The timeout in real time.
    var timeout: Duration?
    /// The random seed.
    var seed: UInt64
    /// The history of followed trips; `nil` to keep none.
    var history: TripHistory?
    /// The ready file of an emulator in another process, whose clock is mirrored.
    var emulator: (ready: ReadyFile, path: String)?
    /// Changes the emulator's clock; `nil` if it cannot be changed.
    var ride: RideHandle?
    /// What a scenario says to those who watch; `nil` where none is played.
    var captions: AsyncStream<SceneCaption>?
    /// What checks the scenario that is played; `nil` where none is, or its expectations do not matter.
    var watch: SceneWatch?

    /// Creates a feed that reports events to a closure; with `staysOpen`, trips may be added while it runs.
    func feed(staysOpen: Bool = false, _ report: @escaping @Sendable (FeedEvent) -> Void) -> TripFeed {
        var options = TripFeed.Options(
            provider: provider,
            policy: PollMachine.Policy(
                interval: interval,
                shortestInterval: endpoint.shortestInterval,
                creationPatience: creationPatience
            ),
            seed: seed
        )
        options.requestsPerMinute = requestsPerMinute
        options.limits = limits
        let announced = emulator?.ready.absentFields?.compactMap(TripField.init(rawValue:)) ?? []
        options.absent = absentFields.union(announced)
        options.staysOpen = staysOpen || tripsFile != nil
        return TripFeed(
            trips: trips,
            options: options,
            client: FleetClient(
                endpoint: endpoint,
                tokens: tokens,
                transport: transport,
                clock: clock,
                certificates: certificates
            ),
            clock: clock,
            report: { [watch] event in
                watch?.take(event)
                report(event)
            }
        )
    }
}
