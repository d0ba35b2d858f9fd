import Canvas
import FleetTokens
import Foundation
import HTTPTransport
import HTTPTransportLive
import Terminal
import TripFeed
import TripModel
import TripText

/// Follows trips in the requested output format and reports the outcome.
enum Follow {
    /// Runs until the session ends; throws a ``CommandFailure`` unless it succeeded.
    ///
    /// A screen that is already open is used, and closed at the end.
    static func run(
        _ configuration: SessionConfiguration,
        options: FollowOptions,
        settings: Settings,
        on opening: ScreenOpening? = nil
    ) async throws {
        let options = options.completed(by: settings)
        let host = configuration.endpoint.host
        let now = configuration.clock.now().wall
        let locale = LocaleNames(ProcessInfo.processInfo.environment)
        let zone = Zone(
            offset: TimeZone.current.secondsFromGMT(for: now),
            name: TimeZone.current.abbreviation(for: now) ?? "",
            hasTwelveHours: locale.hasTwelveHours
        )
        let wording = options.wording(locale, isASCII: options.ascii || !locale.isUTF8)
        let result: (CompletionTracker, CompletionTracker.Outcome)
        // Report an unreadable base map in every output format.
        if options.form != .tui { _ = try options.basemap.map(BasemapFile.read) }
        switch options.form {
        case .tui:
            let screen = if let opening { opening } else { try await ScreenOpening(options) }
            let session = ScreenSession(
                opening: screen,
                configuration: configuration,
                options: options,
                zone: zone,
                locale: locale,
                keys: settings.keys
            )
            result = try await session.run()
        case .plain, .json:
            if options.form == .plain, let words = wording.fallback { Printing.error(words) }
            let plain = PlainOutput(
                host: host,
                zone: zone,
                say: wording,
                namesTrips: configuration.trips.count > 1 || configuration.tripsFile != nil
            )
            let printer = LinePrinter(form: options.form, plain: plain)
            result = await Session(configuration: configuration).run(lines: printer)
        }
        await configuration.tokens.close()
        try finish(result.1, host: host, say: wording)
    }

    private static func finish(_ outcome: CompletionTracker.Outcome, host: String, say: Wording) throws {
        switch outcome {
        case .done: return
        case .interrupted(let signal): throw CommandFailure.signal(signal)
        case .missed(let trip, let status):
            throw CommandFailure(
                outcome.status,
                "Trip \(shown(trip.rawValue)) ended as \(status.name), which is not what --until waited for."
            )
        case .failed(let trip, let failure):
            let sentence = Sentence(failure, trip: trip, host: host, say: say).last
            throw CommandFailure(outcome.status, sentence.lines(say).joined(separator: "\n"))
        case .timedOut:
            throw CommandFailure(
                outcome.status,
                "The time of --timeout was up before every trip got there.\n"
                    + "Give it more seconds, or look at what the lines above say."
            )
        }
    }
}
