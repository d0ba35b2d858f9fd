import FleetTokens
import Foundation
import ProcessControl
import TripFeed
import TripModel

/// The events of the session loop.
enum SessionEvent: Sendable {
    /// The mailbox has feed or token events.
    case mail
    /// No more trips will be added, and all have ended.
    case closed
    /// The `--timeout` has expired.
    case timeout
    /// No first answer arrived within ``Session/firstContactLimit``; only without a screen.
    case noFirstContact
    /// A signal requests the end.
    case signal(Int32)
}

/// Follows trips until the session ends, and prints events line by line.
///
/// ```
/// TripFeed, TokenProvider ──▶ mailbox ─┐
/// timeout, signals ────────────────────┴─▶ events ──▶ CompletionTracker (over?) ──▶ lines on standard output
/// ```
struct Session: Sendable {
    /// The timeout for the first answer without a screen, in real time.
    ///
    /// A setup that never worked is a configuration error, not an outage.
    static let firstContactLimit = Duration.seconds(60)

    let configuration: SessionConfiguration

    /// Runs the session and prints its events; returns the outcome.
    func run(lines: LinePrinter) async -> (CompletionTracker, CompletionTracker.Outcome) {
        let (events, continuation) = AsyncStream.makeStream(of: SessionEvent.self)
        let watchdog = ForcedEnd.watchdog(timeout: configuration.timeout)
        defer { watchdog.dismiss() }
        let signals = SignalWatch {
            watchdog.receive(signal: $0)
            continuation.yield(.signal($0))
        }
        defer { signals.stop() }
        let mailbox = FeedMailbox { continuation.yield(.mail) }
        let feed = configuration.feed { mailbox.post($0) }
        return await withTaskGroup(of: Void.self) { group in
            configuration.start(feed, mailbox, in: &group, events: continuation)
            group.addTask { [clock = configuration.clock] in
                // Cancelled when the session ends first.
                guard (try? await clock.sleep(real: Self.firstContactLimit)) != nil else { return }
                continuation.yield(.noFirstContact)
            }
            var lines = lines
            let (completion, outcome) = await loop(events, mailbox, lines: &lines)
            lines.end(completion, outcome, at: configuration.clock.now())
            watchdog.sessionEnded(code: outcome.exitCode)
            group.cancelAll()
            return (completion, outcome)
        }
    }

    private func loop(
        _ events: AsyncStream<SessionEvent>,
        _ mailbox: FeedMailbox,
        lines: inout LinePrinter
    ) async -> (CompletionTracker, CompletionTracker.Outcome) {
        var completion = CompletionTracker(
            goal: configuration.goal,
            trips: configuration.trips,
            isOpen: configuration.tripsFile != nil
        )
        for await event in events {
            let now = configuration.clock.now()
            switch event {
            case .mail:
                for item in mailbox.take() {
                    switch item {
                    case .token(let news): lines.take(news, at: now)
                    case .feed(let news):
                        if let outcome = Self.take(news, &completion, &lines, at: now) { return (completion, outcome) }
                    }
                }
            case .closed:
                if let outcome = completion.close() { return (completion, outcome) }
            case .timeout: return (completion, completion.timeout)
            case .noFirstContact:
                if !completion.hasAnswer, !completion.isOpen, let (trip, failure) = completion.lastFailure {
                    return (completion, .failed(trip, failure))
                }
            case .signal(let number): return (completion, .interrupted(number))
            }
        }
        return (completion, .interrupted(SIGINT))
    }

    /// Processes and prints a feed event; returns an outcome after the last pending trip.
    ///
    /// While trips may still be added, an ended trip is reduced to its outcome.
    static func take(
        _ news: FeedEvent,
        _ completion: inout CompletionTracker,
        _ lines: inout LinePrinter,
        at now: Moment
    ) -> CompletionTracker.Outcome? {
        lines.take(news, at: now)
        let outcome = completion.take(news)
        lines.end(news, completion, at: now)
        completion.settle(after: news)
        return outcome
    }
}

extension SessionConfiguration {
    /// Starts all event sources: polls, token events and the timeout.
    func start(
        _ feed: TripFeed,
        _ mailbox: FeedMailbox,
        in group: inout TaskGroup<Void>,
        events: AsyncStream<SessionEvent>.Continuation
    ) {
        // Use the same mailbox, so that a refused token is reported before its consequences.
        tokens.observe(mailbox.post)
        group.addTask {
            await feed.run()
            if !Task.isCancelled { events.yield(.closed) }
        }
        if let tripsFile { group.addTask { await tripsFile.follow(feed) } }
        if let emulator { group.addTask { [clock] in await emulator.ready.keep(clock, like: emulator.path) } }
        if let timeout {
            group.addTask { [clock] in
                // Cancelled when the session ends first.
                guard (try? await clock.sleep(real: timeout)) != nil else { return }
                events.yield(.timeout)
            }
        }
    }
}
