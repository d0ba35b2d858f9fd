import AsyncAlgorithms
import FleetEmulator
import FleetTokens
import Foundation
import ProcessControl
import TripFeed
import TripModel

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
        /// The recording that is played has ended.
        case replayed
        /// The `--timeout` has expired.
        case timeout
        /// No first answer arrived within ``SessionRunner/firstContactLimit``.
        case noFirstContact
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
        // The thread of an interactive terminal handles signals itself.
        let signals =
            first.isInteractive
            ? nil
            : SignalWatch {
                watchdog.receive(signal: $0)
                continuation.yield(.signal($0))
            }
        defer { signals?.stop() }
        let mailbox = FeedMailbox { continuation.yield(.mail) }
        let feed = configuration.feed(staysOpen: first.isInteractive) { mailbox.post($0) }
        // Use the same mailbox, so that a refused token is reported before its consequences.
        configuration.tokens.observe { [recorder = configuration.recorder] event in
            guard let recorder else { return mailbox.post(event) }
            recorder.post(event) { mailbox.post($0) }
        }
        return try await withTaskGroup(of: Void.self) { group in
            addSources(of: feed, isInteractive: first.isInteractive, to: &group, continuation)
            if let replay = configuration.replay {
                group.addTask { [clock = configuration.clock] in
                    await replay.play(clock, into: mailbox)
                    if !Task.isCancelled { continuation.yield(.replayed) }
                }
            }
            group.addTask { await first.sendInputs() }
            var output = first
            let inputs = first.inputs.map { Event.input($0) }
            let result = await loop(merge(events, inputs), mailbox, feed, &output)
            configuration.recorder?.flush()
            watchdog.sessionEnded(code: result.exitCode)
            group.cancelAll()
            await output.close()
            return result
        }.get()
    }

    /// Starts the polls and the timers; all end when the group is cancelled.
    private func addSources<Input>(
        of feed: TripFeed,
        isInteractive: Bool,
        to group: inout TaskGroup<Void>,
        _ events: AsyncStream<Event<Input>>.Continuation
    ) {
        let clock = configuration.clock
        if configuration.replay == nil {
            group.addTask {
                await feed.run()
                if !Task.isCancelled { events.yield(.closed) }
            }
        }
        if let file = configuration.tripsFile { group.addTask { await file.follow(feed) } }
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
        if !isInteractive, configuration.replay == nil { timer(Self.firstContactLimit, .noFirstContact) }
    }

    private func loop<Output: SessionOutput, Events: AsyncSequence>(
        _ events: Events,
        _ mailbox: FeedMailbox,
        _ feed: TripFeed,
        _ output: inout Output
    ) async -> Result<CompletionTracker.Outcome, any Error>
    where Events.Element == Event<Output.Input>, Events.Failure == Never {
        let clock = configuration.clock
        var completion = CompletionTracker(
            goal: configuration.goal,
            trips: configuration.trips,
            isOpen: configuration.tripsFile != nil
        )
        func show(_ changed: [Int]?, at now: Moment) {
            guard let changed, !changed.isEmpty, let expectations = configuration.expectations else { return }
            output.update(expectations.results, changed: changed, at: now)
        }
        func end(_ outcome: CompletionTracker.Outcome) -> Result<CompletionTracker.Outcome, any Error> {
            show(configuration.expectations?.finish(at: clock.now()), at: clock.now())
            for (trip, word) in completion.unreportedOutcomes(overall: outcome) {
                output.tripEnded(trip, outcome: word, at: clock.now())
            }
            return .success(outcome)
        }
        if let result = await output.flush(to: feed) { return result }
        for await event in events {
            let now = clock.now()
            output.advance(to: now)
            switch event {
            case .mail:
                configuration.recorder?.flush()
                var first: CompletionTracker.Outcome?
                for item in mailbox.take() {
                    switch item {
                    case .token(let event): output.update(event, at: now)
                    case .feed(let event):
                        let outcome = Self.update(&output, &completion, event, at: now)
                        let time = configuration.replay == nil ? now : event.finished ?? now
                        show(configuration.expectations?.take(event, at: time), at: now)
                        // A screen stays open after the last trip, until the user quits.
                        if !output.isInteractive || configuration.goal != .end { first = first ?? outcome }
                    }
                }
                // The rest of the events is reported, too.
                if let first { return end(first) }
            case .closed:
                // A screen stays open until the user quits or its script ends.
                if let outcome = completion.close(), !output.isInteractive { return end(outcome) }
            case .replayed:
                guard output.isInteractive else { return end(completion.endOfReplay) }
                // The last screen stays as it was.
                clock.control.pause(true)
            case .timeout: return end(completion.timeout)
            case .noFirstContact:
                if !completion.hasAnswer, !completion.isOpen, let (trip, failure) = completion.lastFailure {
                    return end(.failed(trip, failure))
                }
            case .signal(let number): return end(.interrupted(number))
            case .input(let input): output.update(input)
            }
            if let text = configuration.recorder?.takeWarning() { output.warn(text) }
            if let result = await output.flush(to: feed) { return result }
        }
        return end(.interrupted(SIGINT))
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

extension FeedEvent {
    /// When a poll was complete; `nil` for other events.
    fileprivate var finished: Moment? { if case .polled(let report, _, _) = self { report.finished } else { nil } }
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
