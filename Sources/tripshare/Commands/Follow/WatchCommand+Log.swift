import Failures
import FleetTokens
import Foundation
import TransportLive
import TripFeed
import TripModel
import TripScreen
import TripText

extension WatchedTrips {
    /// Throws a usage error for flags that make no sense with a log.
    func validateLog(_ command: WatchCommand) throws {
        guard let log else { return }
        let polls =
            command.tripsFile != nil || command.service.emulator != nil || command.wait != nil || command.quota != nil
            || command.session.interval != nil
        try require(!polls, .usageLog)
        try require(command.session.record == nil, .usageRecorded)
        let isOnScreen =
            !command.session.once && command.display.script == nil && (command.session.output ?? .tui) == .tui
        let usesTerminal = isOnScreen && ProcessContext.current.isTerminal(STDOUT_FILENO)
        try require(log != "-" || !usesTerminal || !ProcessContext.current.isTerminal(STDIN_FILENO), .usageLogTerminal)
    }

    /// Follows the trips of a log, without polling.
    func follow(log path: String, _ command: WatchCommand, _ settings: Settings) async throws {
        let trips = try names.journeys()
        let project = command.service.providerId ?? names.lazy.compactMap(\.provider).first
        let provider = try project.map { try TokenSubject.checked($0, .nounProvider, ProviderID.init) }
        var output = OutputConfiguration(command.session, command.display, settings)
        output.readsControllingTerminal = path == "-"
        let source = try LogSource(
            path: path,
            trips: trips,
            provider: provider,
            limits: FindingLimits(settings.thresholds + command.session.threshold),
            follows: follow || output.form == .tui
        )
        guard command.metrics.metricsPort == nil || !source.isReadAtOnce else {
            throw CommandFailure(.usage, .usageMetricsAtOnce)
        }
        // Only the screen shows it. The project of a log is unknown before its first entry.
        let shown = try provider ?? ProviderID("log")
        defer { source.reportSkippedLines() }
        do {
            // Nothing is polled; only events are posted.
            try await withLiveHTTPTransport(command.network.connections(settings)) { [output, trips] transport in
                var configuration = SessionConfiguration(
                    command.session,
                    settings,
                    output: output,
                    trips: trips,
                    provider: shown,
                    endpoint: try ServiceEndpoint(ServiceEndpoint.google),
                    tokens: (EnvironmentTokenSource(variable: "", environment: { [:] }), .standard),
                    transport: transport,
                    clock: ScaledClock(speed: 1),
                    seed: 0
                )
                configuration.source = .log(source)
                configuration.announcement = settings.announcement
                try configuration.readExpectations(command.expectations)
                command.notices.apply(try command.notices.receivers(), to: &configuration)
                try await SessionRunner.run(configuration, command.metrics)
            }
        } catch let failure as CommandFailure {
            // A log without the trip is the cause of a status that was not reached.
            throw source.failure ?? failure
        }
        if let failure = source.failure { throw failure }
        // The screen may be left before the first entry; the other outputs end with the timeout.
        if output.form != .tui, !source.hasEntries, !source.hasEnded {
            throw CommandFailure(.unavailable, .failureTimeout)
        }
    }
}
