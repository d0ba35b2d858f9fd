import Failures
import FleetTokens
import Foundation
import Runtime
import TokenSigning
import TripFeed
import TripModel
import TripText

/// Judges the expectations about the trip of a drive: reads the trip with the operator's key while the vehicle drives.
struct DriveExpectations: Sendable {
    private let watch: ExpectationWatch
    private let feed: TripFeed
    private let tokens: TokenProvider
    private let clock: any TripClock
    private let host: String
    private let zone: Zone
    private let interval: Duration

    /// When the first poll has ended.
    private let firstPoll: AsyncStream<Never>

    /// The number of polls after the drive within which the service shows the end of the trip.
    private static let lastPolls = 3
    /// The real time that these polls may take.
    private static let lastCalls = Duration.seconds(30)

    /// Creates a check of a file's expectations.
    init(
        _ expectations: [TripExpectation],
        reportPath: String?,
        journey: JourneyID,
        provider: ProviderID,
        at endpoint: ServiceEndpoint,
        key: ServiceAccountKey,
        transport: HTTPTransport,
        clock: any TripClock,
        seed: UInt64
    ) {
        let now = clock.now()
        let watch = ExpectationWatch(expectations, reportPath: reportPath, first: journey, begins: now)
        let locale = LocaleNames(ProcessContext.current.environment)
        let zone = Zone(.current, at: now.wall, hasTwelveHours: locale.hasTwelveHours)
        let tokens = TokenProvider(source: ServiceAccountTokenSource(key: key, clock: clock), clock: clock, seed: seed)
        let policy = Planner.Policy(
            interval: .seconds(5),
            shortestInterval: endpoint.shortestInterval,
            creationTimeout: nil
        )
        self.watch = watch
        self.tokens = tokens
        self.clock = clock
        self.zone = zone
        host = endpoint.displayName
        interval = policy.polling.clampedInterval
        let (firstPoll, first) = AsyncStream.makeStream(of: Never.self)
        let observers = ObserverGroup([watch])
        self.firstPoll = firstPoll
        feed = TripFeed(
            trips: [journey],
            options: TripFeed.Options(provider: provider, policy: policy, seed: seed),
            client: FleetClient(
                endpoint: endpoint,
                tokens: tokens,
                transport: .rest(transport, at: endpoint),
                clock: clock
            ),
            clock: clock
        ) { event in
            observers.receive(SessionItem(.feed(event), at: clock.now()))
            if case .polled = event { first.finish() }
            Self.show(watch, zone)
        }
        tokens.observe { observers.receive(SessionItem(.token($0), at: $0.at)) }
    }

    /// Judges during a drive and until the trip has ended; then writes the report.
    ///
    /// Throws the error of the drive, or a ``CommandFailure`` if an expectation failed.
    func judge(_ drive: () async throws -> Void) async throws {
        let feed = feed
        let following = Task { await feed.run() }
        var failure: (any Error)?
        do {
            // The state before the drive is judged, too. The wait also ends when this task is cancelled.
            for await _ in firstPoll {}
            try await drive()
            // The feed ends with the poll that shows the end of the trip.
            let limit = clock.now().steady + interval * Self.lastPolls + Self.lastCalls * clock.pace
            let timer = Task { [clock] in
                // Cancelled if the feed ends first.
                guard (try? await clock.sleep(until: limit)) != nil else { return }
                following.cancel()
            }
            await following.value
            timer.cancel()
        } catch {
            failure = error
            following.cancel()
            await following.value
        }
        await tokens.close()
        let end = clock.now()
        watch.finish(at: end)
        Self.show(watch, zone)
        do {
            try watch.writeReport(host: host, ends: end)
        } catch {
            guard let failure else { throw error }
            Printing.error(error.message(.ofProcess))
            throw failure
        }
        if let failure { throw failure }
        if let failed = watch.failure(ofFailedSession: false) { throw failed }
    }

    /// Prints the results that have been decided since the last call.
    private static func show(_ watch: ExpectationWatch, _ zone: Zone) {
        let results = watch.results
        for index in watch.dequeueChanged() where results[index].outcome != .pending {
            Printing.out(Localizer.ofProcess.sentence(about: results[index], in: zone) + Localizer.ofProcess(.fullStop))
        }
    }
}
