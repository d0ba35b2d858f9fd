import ArgumentParser
import Failures
import FleetTokens
import Foundation
import Synchronization
import TransportLive
import TripFeed
import TripModel
import TripText

/// `tripshare watch`: follows trips of a Fleet Engine.
typealias WatchCommand = FollowCommand<WatchedTrips>

/// The trips of `tripshare watch`: those on the command line, those of a project or those of a log.
struct WatchedTrips: FollowSubject {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow trips of a Fleet Engine."
    )

    static let kind = JourneyKind.trip

    @OptionGroup var target: TargetOptions

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

    var names: [JourneyName] { target.trips.map { JourneyName($0, as: .trip) } }

    func validate(_ command: WatchCommand) throws {
        try require(!all || (command.tripsFile == nil && log == nil), .usageAll)
        if command.tripsFile == nil, log == nil, !all { try command.requireNames(.usageNoTrip) }
        try require(!follow || (log != nil && log != "-" && !command.session.once), .usageFollow)
        try validateLog(command)
    }

    func run(_ command: WatchCommand) async throws {
        let settings = try command.profile.settings()
        if let log { return try await follow(log: log, command, settings) }
        let target = try await Target(command, settings: settings, mayBeEmpty: command.tripsFile != nil || all)
        // The trips that an emulator announces are among the trips of its project.
        let (trips, file) = all && names.isEmpty ? ([], nil) : try command.trips(of: target)
        try await withLiveHTTPTransport(target.connections) { live in
            let transport = live.naming(faultsOf: target.marks)
            let server = try await server.origin(of: target, command.network, settings)
            try await target.calls.run(to: target.endpoint, over: transport) { calls in
                var configuration = try command.configuration(
                    target,
                    trips,
                    file,
                    settings,
                    server,
                    transport,
                    calls
                )
                if all {
                    do {
                        configuration = try await following(configuration, for: command.session)
                    } catch {
                        try SessionRunner.reportUnbegun(configuration, error)
                        throw error
                    }
                }
                try await SessionRunner.run(configuration, command.metrics)
                await configuration.serverTokens?.close()
            }
        }
    }

    /// Returns the configuration for all active trips of the project; with `--once` and `--until`, for those that are active now,
    /// because the trips that appear later never end.
    ///
    /// Throws a ``CommandFailure`` if the trips can't be listed, before a screen opens.
    private func following(
        _ configuration: SessionConfiguration,
        for session: SessionOptions
    ) async throws -> SessionConfiguration {
        var configuration = configuration
        let isOfNow = session.once || session.until != nil
        let searches = Mutex<[SearchEvent]>([])
        let listing: TripListing
        do {
            listing = try await configuration.countingAgainstTimeout {
                try await $0.activeTrips(pages: isOfNow ? TripListing.mostPages : 1) { search in
                    searches.withLock { searches in
                        searches.append(search)
                        guard searches.count > Self.mostBodies else { return }
                        searches[searches.count - 1 - Self.mostBodies].call?.answer?.body = nil
                    }
                }
            }
        } catch {
            // No session shows them.
            report(searches.withLock { $0 }, configuration)
            throw error
        }
        configuration.searches = searches.withLock { $0 }
        guard isOfNow else {
            configuration.source = .project
            return configuration
        }
        let listed = listing.trips.map { JourneyID.trip($0.id) }.filter { !configuration.trips.contains($0) }
        configuration.trips += listed.prefix(TripsFile.limit)
        guard !configuration.trips.isEmpty else {
            throw CommandFailure(.notFound, .tripsNone(project: excerpt(configuration.provider.rawValue)))
        }
        return configuration
    }

    /// The number of pages before the session that retain their bodies, the newest ones.
    private static let mostBodies = 32

    /// Reports searches without a session.
    private func report(_ searches: [SearchEvent], _ configuration: SessionConfiguration) {
        configuration.expectations?.noteSearch(of: configuration.provider, failure: searches.last?.failure)
        guard configuration.output.form == .json else { return }
        var output = JSONOutput(configuration)
        for search in searches { output.update(search, at: search.finished) }
    }
}
