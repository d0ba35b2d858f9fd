import FleetTokens
import Foundation
import ProcessControl
import TripFeed
import TripModel

/// News of any kind for the one loop that a session is.
enum SessionEvent: Sendable {
    /// There is news of trips and tokens in the mailbox.
    case mail
    /// No more trips are added, and those that were have all ended.
    case closed
    /// The time of `--timeout` is up.
    case timeout
    /// Nothing was ever heard for ``Session/firstContactLimit``, where nobody watches a screen.
    case noFirstContact
    /// A signal asks for the end.
    case signal(Int32)
}

/// Follows trips until there is a reason to stop, and tells of it line by line.
///
/// ```
/// TripFeed, TokenProvider ──▶ mailbox ─┐
/// timeout, signals ────────────────────┴─▶ events ──▶ CompletionTracker (over?) ──▶ lines on standard output
/// ```
struct Session: Sendable {
    /// How long a first answer is waited for where nobody watches, in real time: a set-up that never worked is no outage.
    static let firstContactLimit = Duration.seconds(60)

    let configuration: SessionConfiguration

    /// Follows and prints; the outcome, once there is one.
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

    /// Takes in news of a trip and prints it; an outcome where that was the last that was waited for.
    ///
    /// Of trips that came to their end little more is kept than that, where others may follow without end.
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
    /// Starts all that brings news: the polls, the token's events and the timeout.
    func start(
        _ feed: TripFeed,
        _ mailbox: FeedMailbox,
        in group: inout TaskGroup<Void>,
        events: AsyncStream<SessionEvent>.Continuation
    ) {
        // In the one mailbox, so that a refused token is told of before what follows from it.
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
