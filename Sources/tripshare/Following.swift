import FleetEmulator
import FleetTokens
import HTTPTransport
import TripFeed
import TripModel

/// All that it takes to follow trips, wired up.
struct Following: Sendable {
    /// The trips, in the order in which they were named; at least one unless a file may name more.
    var trips: [TripID]
    /// The file that names more of them while the program runs.
    var tripsFile: TripsFile?
    /// The project that owns them.
    var provider: ProviderID
    /// The service.
    var endpoint: ServiceEndpoint
    /// Where the tokens come from.
    var tokens: TokenProvider
    /// The door to the network.
    var transport: HTTPTransport
    /// What the signature of a token that was refused is checked with; `nil` leaves it unchecked.
    var certificates: IssuerCertificates?
    /// The one clock.
    var clock: ScaledClock
    /// The interval that was asked for.
    var interval: Duration
    /// How many requests all trips together may make in a minute; `nil` for as many as the intervals ask for.
    var requestsPerMinute: Int?
    /// From where on something is a finding.
    var limits: FindingLimits
    /// What the answers never have: a format of logs may lack it.
    var absentFields: Set<TripField> = []
    /// How long a trip that does not exist yet is waited for; `nil` for ever.
    var creationPatience: Duration?
    /// What following is for.
    var goal: Ending.Goal
    /// The real time after which it ends.
    var timeout: Duration?
    /// Where chance starts.
    var seed: UInt64
    /// Where the trips that were seen are remembered; `nil` for nowhere.
    var history: TripHistory?
    /// The ready file of an emulator in another process, whose clock ours follows.
    var emulator: (ready: ReadyFile, path: String)?
    /// How the clock of the ride is changed; `nil` where it can't be.
    var ride: RideHandle?
    /// What a scenario says to those who watch; `nil` where none is played.
    var captions: AsyncStream<SceneCaption>?
    /// What checks the scenario that is played; `nil` where none is, or its expectations do not matter.
    var watch: SceneWatch?

    /// A feed that tells a closure of everything; with `staysOpen` more trips may be added for as long as it runs.
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
