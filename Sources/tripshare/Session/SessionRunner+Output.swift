import Canvas
import Failures
import FleetTokens
import TripFeed
import TripModel
import TripScreen
import TripText

extension SessionRunner {
    /// Runs a session in the configured output format; throws a ``CommandFailure`` unless it succeeded.
    ///
    /// A screen that is already open is used, and closed at the end.
    static func run(_ configuration: SessionConfiguration, on opening: ScreenOpening? = nil) async throws {
        var configuration = configuration
        let output = configuration.output
        let localizer = output.localizer()
        // Report an unreadable base map in every output format.
        var map: Basemap?
        if output.form != .tui {
            map = try output.options.basemap.map(BasemapFile.read)
            try output.basemapFolder.map(BasemapFolder.check)
            warnOfScreen(configuration)
        }
        configuration = try configuration.sharing(map)
        let outcome: CompletionTracker.Outcome
        var unfinished: CommandFailure?
        var files: SessionFiles?
        func conclude(_ outcome: CompletionTracker.Outcome) { files = SessionFiles(writing: configuration) }
        do {
            switch output.form {
            case .tui:
                let screen = if let opening { opening } else { try await ScreenOpening(output) }
                let runner = try SessionRunner(recording: configuration, on: screen)
                outcome = try await runner.run(ScreenOutput(screen, runner.configuration), conclude: conclude)
            case .plain where configuration.isAskable:
                let lines = SpokenOutput(PlainOutput(configuration, localizer, map: map), configuration, localizer)
                outcome = try await SessionRunner(recording: configuration).run(lines, conclude: conclude)
            case .plain:
                let lines = PlainOutput(configuration, localizer, map: map)
                outcome = try await run(configuration, lines, conclude)
            case .json: outcome = try await run(configuration, JSONOutput(configuration), conclude)
            }
        } catch let work as UnfinishedWork {
            (outcome, unfinished) = (work.outcome, work.failure)
        } catch {
            await configuration.tokens.close()
            throw error
        }
        if let unwritten = files?.page { unfinished = unwritten }
        // The provider drops the answers of the token endpoint when it is closed.
        let failure = failure(of: configuration, outcome, localizer)
        await configuration.tokens.close()
        try report(configuration, files, outcome, failure, localizer)
        if let failure {
            if let unfinished { Printing.error(unfinished.message(localizer)) }
            throw failure
        }
        if let unfinished { throw unfinished }
    }

    /// Says what the screen would show, and this output does not.
    private static func warnOfScreen(_ configuration: SessionConfiguration) {
        let options = configuration.output.optionsOfScreen.joined(separator: ", ")
        if !options.isEmpty { Printing.warning(.warningScreenOnly(options: options)) }
        let asked = (configuration.expectations?.results ?? []).compactMap { result in
            if case .manual = result.expectation.kind { excerpt(result.expectation.name) } else { nil }
        }
        let names = asked.joined(separator: ", ")
        if !names.isEmpty { Printing.warning(.warningAskOnScreen(names: names)) }
    }

    /// Runs a session without a screen.
    private static func run<Lines: SessionOutput>(
        _ configuration: SessionConfiguration,
        _ lines: Lines,
        _ conclude: (CompletionTracker.Outcome) -> Void
    ) async throws -> CompletionTracker.Outcome where Lines.Input == Never {
        let runner = try SessionRunner(recording: configuration)
        return configuration.isSummaryOfReplay
            ? try await runner.run(LastStateOutput(lines), conclude: conclude)
            : try await runner.run(lines, conclude: conclude)
    }

    /// Throws a ``CommandFailure`` if the report was not written or an expectation failed, unless a signal ended the session.
    private static func report(
        _ configuration: SessionConfiguration,
        _ files: SessionFiles?,
        _ outcome: CompletionTracker.Outcome,
        _ sessionFailure: CommandFailure?,
        _ localizer: Localizer
    ) throws(CommandFailure) {
        guard let expectations = configuration.expectations else { return }
        if let unwritten = files?.report {
            if let sessionFailure { Printing.error(sessionFailure.message(localizer)) }
            throw unwritten
        }
        if case .interrupted = outcome { return }
        guard let failed = expectations.failure(ofFailedSession: sessionFailure != nil) else { return }
        if let sessionFailure { Printing.error(sessionFailure.message(localizer)) }
        throw failed
    }

    /// Writes the report of a session that could not begin; throws a ``CommandFailure`` if the report can't be written.
    static func reportUnbegun(_ configuration: SessionConfiguration, _ failure: any Error) throws(CommandFailure) {
        guard let expectations = configuration.expectations else { return }
        expectations.finish(at: configuration.clock.now())
        do {
            try expectations.writeReport(of: configuration)
        } catch {
            if let failure = failure as? CommandFailure { Printing.error(failure.message(.ofProcess)) }
            throw error
        }
    }

    /// Creates a runner that records the session.
    private init(
        recording configuration: SessionConfiguration,
        on screen: ScreenOpening? = nil
    ) throws(CommandFailure) {
        var configuration = configuration
        configuration.recorder = try configuration.makeRecorder(on: screen)
        // A replay knows the start of the recording only.
        if let start = configuration.recorder?.begins { configuration.expectations?.start(at: start) }
        self.init(configuration: configuration)
    }

    /// Returns the failure of the command; `nil` if the session succeeded.
    private static func failure(
        of configuration: SessionConfiguration,
        _ outcome: CompletionTracker.Outcome,
        _ localizer: Localizer
    ) -> CommandFailure? {
        func sentence(_ failure: Failure, of journey: JourneyID) -> UserMessage {
            UserMessage(
                failure,
                configuration.tokens.status(of: .journey(journey)).explaining(failure),
                journey: journey,
                host: configuration.endpoint.displayName,
                localizer: localizer
            ).last
        }
        return switch outcome {
        case .done: nil
        case .interrupted(let signal): .signal(signal)
        case .missed(let trip, let status):
            CommandFailure(
                outcome.status,
                .failureUntilMissed(trip: excerpt(trip.rawValue), status: status.name)
            )
        case .failed(let trip, let failure):
            CommandFailure(outcome.status) { [sentence = sentence(failure, of: trip)] in
                sentence.text($0) + (failure.needsChange ? "\n" + $0(.failureNeedsChange) : "")
            }
        case .searchFailed(let failure):
            CommandFailure(outcome.status) { [text = configuration.warning(of: failure)] in
                text + "\n" + $0(failure.needsChange ? .failureNeedsChange : .failureLasted)
            }
        case .timedOut(nil, nil): CommandFailure(outcome.status, .failureTimeout)
        case .timedOut(nil, let cause?):
            timedOut(
                outcome,
                sentence(cause.failure, of: cause.journey),
                cause.failure.needsChange ? .failureNeedsChange : .failureLasted
            )
        // Nothing has been printed about this trip.
        case .timedOut(let trip?, _):
            timedOut(outcome, sentence(pending(trip, configuration), of: trip), .failureTimeout)
        }
    }

    /// Returns the failure of a session whose timeout expired while something failed.
    private static func timedOut(
        _ outcome: CompletionTracker.Outcome,
        _ sentence: UserMessage,
        _ hint: Text
    ) -> CommandFailure {
        CommandFailure(outcome.status) { sentence.text($0) + "\n" + $0(hint) }
    }

    /// Returns the failure of a poll that was in progress when the session ended.
    private static func pending(_ journey: JourneyID, _ configuration: SessionConfiguration) -> Failure {
        switch configuration.tokens.status(of: .journey(journey)).state {
        case .fetching: TokenError.unavailable(.sourceTimedOut, retryAfter: .zero).failure
        default: .timedOut
        }
    }
}
