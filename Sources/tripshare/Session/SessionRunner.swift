import AsyncAlgorithms
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Recording
import Runtime
import Terminal
import TripFeed
import TripModel
import TripText

/// Follows trips until the session ends, and passes every event to an output.
///
/// ```
/// TripFeed, TokenProvider ──▶ mailbox ─┐
/// timeout, signals ────────────────────┼──▶ loop ──▶ CompletionTracker (over?)
/// inputs of the output (keys, timers) ─┘      └────▶ SessionOutput
/// ```
struct SessionRunner: Sendable {
    /// The timeout for the first answer without a screen, in real time.
    ///
    /// A setup that never worked is a configuration error, not an outage.
    static let firstContactLimit = Duration.seconds(60)

    let configuration: SessionConfiguration

    private enum Event<Input: Sendable>: Sendable {
        /// The mailbox has feed or token events.
        case mail
        /// No more trips will be added, and all have ended.
        case closed
        /// A part of the recording that is played.
        case played(ReplaySource.Part)
        /// A part of the log that is followed.
        case logged(LogSource.Part)
        /// The `--timeout` has expired.
        case timeout
        /// No first answer arrived within ``SessionRunner/firstContactLimit``.
        case noFirstContact
        /// A command or a post on an event has failed.
        case noticesFailed
        /// The trips of the project can't be listed.
        case searchFailed(SearchFailure)
        /// A signal requests the end.
        case signal(Int32)
        /// An input of the output.
        case input(Input)
    }

    /// Runs the session; returns its outcome after the output was closed.
    ///
    /// Rethrows the error with which the output ended the session.
    func run<Output: SessionOutput>(_ first: Output) async throws -> CompletionTracker.Outcome {
        let (events, continuation) = AsyncStream.makeStream(of: Event<Output.Input>.self)
        let watchdog = ForcedEnd.watchdog(timeout: configuration.timeout)
        defer { watchdog.dismiss() }
        let request = EndRequest(timeout: configuration.timeout)
        // The thread of an interactive terminal handles signals itself.
        let signals =
            first.isInteractive
            ? nil
            : SignalWatch.ofProcess {
                watchdog.receive(signal: $0)
                request.receive(signal: $0)
                continuation.yield(.signal($0))
            }
        defer { signals?.stop() }
        let mailbox = FeedMailbox(
            posted: { [expectations = configuration.expectations, metrics = configuration.metrics] item in
                expectations?.handle(item)
                metrics?.handle(item)
            },
            hasNews: { continuation.yield(.mail) }
        )
        let feed = configuration.feed(
            staysOpen: first.isInteractive,
            report: { mailbox.post($0) },
            searchFailed: { continuation.yield(.searchFailed($0)) }
        )
        // Use the same mailbox, so that a refused token is reported before its consequences.
        let post: @Sendable (TokenEvent) -> Void = { [recorder = configuration.recorder] event in
            guard let recorder else { return mailbox.post(event) }
            recorder.post(event) { mailbox.post($0) }
        }
        let notices = NoticeSender(
            configuration.notices,
            host: configuration.endpoint.displayName,
            delivery: .live(configuration.transport, environment: configuration.noticeEnvironment),
            failed: { continuation.yield(.noticesFailed) }
        )
        configuration.tokens.observe(post)
        // The trips of the project may have been listed before.
        configuration.serverTokens?.observe(startingWith: .server, post)
        return try await withTaskGroup(of: Void.self) { group in
            addSources(of: feed, isInteractive: first.isInteractive, to: &group, continuation)
            if let replay = configuration.source.replay, !first.playsRecordings {
                group.addTask { [clock = configuration.clock] in await replay.play(clock) }
            }
            if let log = configuration.source.log {
                group.addTask { [clock = configuration.clock] in await log.read(clock) }
            }
            group.addTask { await first.sendInputs() }
            var output = first
            let inputs = first.inputs.map { Event.input($0) }
            let parts = (configuration.source.log?.parts ?? AsyncChannel()).map { Event<Output.Input>.logged($0) }
            let played = (configuration.source.replay?.parts ?? AsyncChannel()).map { Event<Output.Input>.played($0) }
            defer { configuration.driverCalls?.disconnect() }
            let result = await loop(
                merge(events, inputs, merge(parts, played)),
                mailbox,
                feed,
                request,
                notices,
                &output
            )
            // Keys may end the session, too.
            configuration.recorder?.endEvents()
            let isInterrupted = if case .success(.interrupted) = result { true } else { false }
            await notices.finish(isCancelled: isInterrupted)
            for text in notices.dequeueFailures() { output.warn(text) }
            configuration.recorder?.flush()
            watchdog.sessionEnded(code: result.exitCode)
            group.cancelAll()
            let failure = await output.close()
            guard let failure, case .success(let outcome) = result else { return result }
            return .failure(UnfinishedWork(outcome: outcome, failure: failure))
        }.get()
    }

    /// Starts the polls and the timers; all end when the group is cancelled.
    private func addSources<Input>(
        of feed: any TripFollowing,
        isInteractive: Bool,
        to group: inout TaskGroup<Void>,
        _ events: AsyncStream<Event<Input>>.Continuation
    ) {
        let clock = configuration.clock
        let polls = configuration.source.polls
        if polls {
            group.addTask {
                await feed.run()
                if !Task.isCancelled { events.yield(.closed) }
            }
        }
        if let file = configuration.source.tripsFile, let feed = feed as? TripFeed {
            group.addTask { await file.follow(feed) }
        }
        if let emulator = configuration.emulator {
            group.addTask { await emulator.ready.keep(clock, like: emulator.path) }
        }
        func timer(_ duration: Duration, _ event: Event<Input>) {
            group.addTask {
                // An error means that the session has ended first.
                guard (try? await clock.sleep(real: duration)) != nil else { return }
                events.yield(event)
            }
        }
        if let timeout = configuration.timeout { timer(timeout, .timeout) }
        if !isInteractive, polls { timer(Self.firstContactLimit, .noFirstContact) }
    }

    private func loop<Output: SessionOutput, Events: AsyncSequence>(
        _ events: Events,
        _ mailbox: FeedMailbox,
        _ feed: any TripFollowing,
        _ request: EndRequest,
        _ notices: NoticeSender,
        _ output: inout Output
    ) async -> Result<CompletionTracker.Outcome, any Error>
    where Events.Element == Event<Output.Input>, Events.Failure == Never {
        let clock = configuration.clock
        // The time of the last event of a replay, so that a fast one ends when a slow one does.
        var played: Moment?
        // A log and a recording end by themselves: the state that `--once` shows is the last one.
        let isLog = configuration.source.log != nil
        let hasEnd = isLog || configuration.source.replay != nil
        var completion = CompletionTracker(
            goal: hasEnd && configuration.goal == .once ? .end : configuration.goal,
            trips: configuration.trips,
            isOpen: configuration.isOpen,
            // A file of trips or a log may be empty; a sweep of a project that never returned a trip has followed none.
            needsTrip: configuration.source.isProject
        )
        func judgePlayed(at now: Moment) -> CompletionTracker.Outcome? {
            var first: CompletionTracker.Outcome?
            for item in output.dequeuePlayed() {
                configuration.expectations?.handle(item)
                guard case .feed(let event) = item else { continue }
                let outcome = completion.update(event)
                if let (trip, word) = completion.reportEnd(after: event) {
                    output.tripEnded(trip, outcome: word, at: now)
                }
                if configuration.goal != .end { first = first ?? outcome }
            }
            showExpectations(on: &output, at: now)
            return first
        }
        func end(
            _ outcome: CompletionTracker.Outcome,
            isEndOfRecording: Bool = false
        ) -> Result<CompletionTracker.Outcome, any Error> {
            configuration.recorder?.endEvents()
            let now = played ?? clock.now()
            configuration.expectations?.noteSearch(of: configuration.provider, failure: completion.searchFailure)
            configuration.expectations?.finish(at: now)
            showExpectations(on: &output, at: now)
            for (trip, word) in completion.unreportedOutcomes(overall: outcome) {
                // A recording that has ended is no time-out.
                let word = isEndOfRecording && word == "timed_out" ? "recording_ended" : word
                output.tripEnded(trip, outcome: word, at: now)
            }
            if configuration.isSummary {
                for trip in configuration.source.log?.refusedTrips ?? [] where !configuration.trips.contains(trip) {
                    output.tripEnded(trip, outcome: "log_ended", at: now)
                }
            }
            return .success(outcome)
        }
        func flush() async -> Result<CompletionTracker.Outcome, any Error>? {
            guard let result = await output.flush(to: feed) else { return nil }
            // The last keys may have moved a replay before they ended it.
            let reached = judgePlayed(at: clock.now())
            if case .success(.done) = result, let reached { return end(reached) }
            return result
        }
        if let result = await flush() { return result }
        for await event in events {
            output.advance(to: clock.now())
            let now = clock.now()
            if let reached = judgePlayed(at: now) { return end(reached) }
            switch event {
            case .mail:
                // The timeout may expire in the middle of many events.
                completion.searchFailure = feed.searchFailure
                configuration.recorder?.flush()
                var first: CompletionTracker.Outcome?
                let (items, posted) = mailbox.dequeueBatch()
                // Read after the events were taken: none of them is later.
                let now = clock.now()
                configuration.recorder?.screenRead(upTo: posted)
                for item in items {
                    if let outcome = request.outcome(of: completion) {
                        configuration.recorder?.screenLeavesOutEvents()
                        return end(outcome)
                    }
                    switch item {
                    case .token(let event): output.update(event, at: now)
                    case .feed(let event):
                        if completion.isExcess(event) {
                            // A replay shows all events that the screen has read.
                            if output.isInteractive { output.update(event, at: now) }
                            continue
                        }
                        notices.handle(event, at: now)
                        let outcome = Self.update(&output, &completion, event, at: now)
                        // A screen stays open after the last trip, until the user quits.
                        if !output.isInteractive || configuration.goal != .end { first = first ?? outcome }
                    }
                }
                showExpectations(on: &output, at: now)
                // The rest of the events is reported, too.
                if let first { return end(first) }
                if let trip = configuration.watch?.overdue { return end(completion.miss(trip)) }
            case .played(.events(let events)):
                for event in events {
                    if let outcome = request.outcome(of: completion) { return end(outcome) }
                    played = event.at
                    if let outcome = handle(event, on: &output, &completion, notices) { return end(outcome) }
                }
            case .closed:
                // A screen stays open until the user quits or its script ends.
                if let outcome = completion.close(), !output.isInteractive { return end(outcome) }
            case .played(.end), .logged(.end):
                guard output.isInteractive else { return end(completion.endOfReplay, isEndOfRecording: !isLog) }
                // The last screen stays as it was.
                clock.control.pause(true)
                if isLog { output.warn(Localizer.ofProcess(.sideLogEnded)) }
            case .logged(.entries(let items)):
                if let outcome = handle(items, on: &output, &completion, notices, at: now) { return end(outcome) }
            case .timeout:
                completion.searchFailure = feed.searchFailure
                return end(completion.timeout)
            case .noFirstContact:
                if !completion.hasAnswer, !completion.isOpen, let (trip, failure) = completion.lastFailure {
                    return end(.failed(trip, failure))
                }
            case .searchFailed(let search):
                output.update(search, at: now)
                if !search.isRepeated { output.warn(configuration.warning(of: search.failure)) }
            case .noticesFailed: for text in notices.dequeueFailures() { output.warn(text) }
            case .signal(let number): return end(.interrupted(number))
            case .input(let input): output.update(input)
            }
            if let text = configuration.recorder?.dequeueWarning() { output.warn(text) }
            if let result = await flush() { return result }
        }
        return end(.interrupted(SIGINT))
    }

    /// Shows the expectations whose results have changed.
    private func showExpectations(on output: inout some SessionOutput, at now: Moment) {
        guard let expectations = configuration.expectations else { return }
        let changed = expectations.dequeueChanged()
        if !changed.isEmpty { output.update(expectations.results, changed: changed, at: now) }
    }

    /// Shows a part of a log; returns an outcome if it reaches the goal, the rest of the part is not shown then.
    private func handle(
        _ items: [LiveLog.Item],
        on output: inout some SessionOutput,
        _ completion: inout CompletionTracker,
        _ notices: NoticeSender,
        at now: Moment
    ) -> CompletionTracker.Outcome? {
        for item in items {
            if let text = configuration.source.log?.warning(about: item) { output.warn(text) }
            if case .riderCall(let trip, let error, let time) = item {
                configuration.expectations?.handleCall(of: trip, refused: error, at: time)
                showExpectations(on: &output, at: now)
            }
            guard case .step(let step) = item else { continue }
            output.update(step, at: now)
            for event in step.events {
                notices.handle(event, at: now)
                let outcome = Self.update(&output, &completion, event, at: now)
                configuration.expectations?.handle(.feed(event))
                showExpectations(on: &output, at: now)
                if let outcome, !output.isInteractive || configuration.goal != .end { return outcome }
            }
        }
        return nil
    }

    /// Shows an event of a recording at its own time; returns an outcome if it reaches the goal.
    private func handle(
        _ played: ReplaySource.Played,
        on output: inout some SessionOutput,
        _ completion: inout CompletionTracker,
        _ notices: NoticeSender
    ) -> CompletionTracker.Outcome? {
        var outcome: CompletionTracker.Outcome?
        switch played.content {
        case .remark(let remark):
            configuration.remarks.add(remark)
            output.update(remark, at: played.at)
        case .item(let item):
            configuration.expectations?.handle(item)
            configuration.metrics?.handle(item)
            switch item {
            case .token(let event): output.update(event, at: played.at)
            case .feed(let event) where completion.isExcess(event): break
            case .feed(let event):
                notices.handle(event, at: played.at)
                outcome = Self.update(&output, &completion, event, at: played.at)
            }
        }
        showExpectations(on: &output, at: played.at)
        // The last state of a trip may come after another one has ended.
        if configuration.isSummary { return nil }
        return output.isInteractive && configuration.goal == .end ? nil : outcome
    }

    /// Passes a feed event to the output and the tracker; returns an outcome after the last pending trip.
    static func update(
        _ output: inout some SessionOutput,
        _ completion: inout CompletionTracker,
        _ event: FeedEvent,
        at now: Moment
    ) -> CompletionTracker.Outcome? {
        output.update(event, at: now)
        let outcome = completion.update(event)
        if let (trip, word) = completion.reportEnd(after: event) { output.tripEnded(trip, outcome: word, at: now) }
        return outcome
    }
}

extension Result<CompletionTracker.Outcome, any Error> {
    /// The exit code of a session with this result.
    fileprivate var exitCode: Int32 {
        switch self {
        case .success(let outcome): outcome.exitCode
        case .failure(let error): (error as? CommandFailure)?.exitCode ?? ExitStatus.done.rawValue
        }
    }
}
