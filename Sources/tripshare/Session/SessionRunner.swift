import AsyncAlgorithms
import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Terminal
import TripFeed
import TripModel
import TripText

/// Follows trips until the session ends.
///
/// ```
/// TripFeed, TokenProvider ──▶ mailbox ─┐
/// recording, log ──────────────────────┼──▶ SessionLoop ──▶ observers, SessionOutput
/// timeout, signals ────────────────────┤
/// inputs of the output (keys, timers) ─┘
/// ```
struct SessionRunner: Sendable {
    /// The timeout for the first answer without a screen, in real time.
    ///
    /// A setup that never worked is a configuration error, not an outage.
    static let firstContactLimit = Duration.seconds(60)

    let configuration: SessionConfiguration

    /// Runs the session; returns its outcome after the output was closed.
    ///
    /// Rethrows the error with which the output ended the session. `conclude` writes the files of a session with an outcome, before
    /// notices are awaited.
    func run<Output: SessionOutput>(
        _ first: Output,
        conclude: (CompletionTracker.Outcome) -> Void = { _ in }
    ) async throws -> CompletionTracker.Outcome {
        typealias Event = SessionLoop<Output>.Event
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
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
            posted: { [observers = ObserverGroup(configuration.judges), clock = configuration.clock] item in
                observers.receive(SessionItem(read: item, at: clock.now()))
            },
            hasMail: { continuation.yield(.mail) }
        )
        let searched: @Sendable (SearchEvent) -> Void = { [recorder = configuration.recorder] event in
            guard let recorder else { return mailbox.post(event) }
            recorder.record(.search(event)) { mailbox.post($0) }
        }
        let feed = configuration.feed(
            staysOpen: first.isInteractive,
            report: { mailbox.post($0) },
            searched: searched
        )
        // Use the same mailbox, so that a refused token is reported before its consequences.
        let post: @Sendable (TokenEvent) -> Void = { [recorder = configuration.recorder] event in
            guard let recorder else { return mailbox.post(event) }
            recorder.post(.token(event)) { mailbox.post($0) }
        }
        let (store, storeProblem) = configuration.noticeStore()
        let news = NoticeNews { continuation.yield(.noticesChanged) }
        let notices = NoticeSender(
            configuration.notices,
            provider: configuration.provider.rawValue,
            host: configuration.endpoint.displayName,
            store: store,
            time: configuration.noticeTime,
            seed: configuration.seed,
            delivery: .live(configuration.transport, environment: configuration.noticeEnvironment),
            reported: { continuation.yield(.noticesChanged) },
            changed: { news.changed() }
        )
        configuration.tokens.observe(post)
        // The trips of the project may have been listed before.
        configuration.serverTokens?.observe(startingWith: .server, post)
        for search in configuration.searches { searched(search) }
        configuration.requestedSearches.connect(searched)
        defer { configuration.requestedSearches.disconnect() }
        return try await withTaskGroup(of: Void.self) { group in
            addSources(of: feed, isInteractive: first.isInteractive, to: &group) { continuation.yield($0) }
            if configuration.source.replay == nil || !first.playsRecordings {
                group.addTask { [configuration] in await configuration.source.play(configuration.clock) }
            }
            group.addTask { await first.sendInputs() }
            let inputs = first.inputs.map { Event.input($0) }
            let parts = configuration.source.parts.map { Event.part($0) }
            var all = merge(events, inputs, parts).makeAsyncIterator()
            defer { configuration.driverCalls?.disconnect() }
            var loop = SessionLoop(configuration, first, notices, news, request)
            if let storeProblem { loop.output.warn(storeProblem) }
            let result = await loop.run(&all, mailbox, feed)
            // Keys may end the session, too.
            configuration.recorder?.endEvents()
            configuration.recorder?.flush()
            if case .success(let outcome) = result { conclude(outcome) }
            loop.output.conclude()
            let wait = result.isLeftAtOnce ? nil : configuration.noticeWait
            watchdog.sessionEnded(code: result.exitCode, allowing: wait ?? .zero)
            await loop.deliverNotices(&all, to: feed, within: wait) { continuation.yield($0) }
            configuration.recorder?.flush()
            watchdog.sessionEnded(code: result.exitCode)
            group.cancelAll()
            let failure = await loop.output.close()
            // A screen may have shown them a moment before.
            notices.confirmFailures()
            if !configuration.notices.isEmpty, !result.isRestart {
                loop.output.show(notices.summary, at: configuration.clock.now())
            }
            guard let failure, case .success(let outcome) = result else { return result }
            return .failure(UnfinishedWork(outcome: outcome, failure: failure))
        }.get()
    }

    /// Starts the polls and the timers; all end when the group is cancelled.
    private func addSources<Output>(
        of feed: TripFeed,
        isInteractive: Bool,
        to group: inout TaskGroup<Void>,
        _ send: @escaping @Sendable (SessionLoop<Output>.Event) -> Void
    ) {
        let clock = configuration.clock
        let polls = configuration.source.polls
        if polls {
            group.addTask {
                await feed.run()
                if !Task.isCancelled { send(.closed) }
            }
        }
        if let file = configuration.source.tripsFile {
            group.addTask { await file.follow(feed) }
        }
        if let emulator = configuration.emulator {
            group.addTask { await emulator.ready.synchronize(clock, with: emulator.path) }
        }
        func timer(_ duration: Duration, _ event: SessionLoop<Output>.Event) {
            group.addTask {
                // An error means that the session has ended first.
                guard (try? await clock.sleep(real: duration)) != nil else { return }
                send(event)
            }
        }
        if let timeout = configuration.timeout { timer(timeout, .timeout) }
        if !isInteractive, polls { timer(Self.firstContactLimit, .noFirstContact) }
    }

    /// Passes an item to the output and the tracker; returns an outcome after the last pending trip.
    static func pass(
        _ item: SessionItem,
        _ changes: [JourneyChange],
        _ table: JourneyTable,
        to output: inout some SessionOutput,
        _ completion: inout CompletionTracker
    ) -> CompletionTracker.Outcome? {
        output.receive(item, changes, table)
        if case .search(let search) = item.content, !search.isRequested { completion.searchFailure = search.failure }
        guard case .feed(let event) = item.content else { return nil }
        let outcome = completion.update(event, table)
        if let (trip, word) = completion.reportEnd(after: event) { output.tripEnded(trip, outcome: word, at: item.at) }
        return outcome
    }
}

extension Result<CompletionTracker.Outcome, any Error> {
    /// Whether the demo starts again, and its next session goes on with the notices.
    fileprivate var isRestart: Bool { if case .failure(let error) = self { error is DemoRestart } else { false } }

    /// Whether notices that are not delivered are left for later at once: after a signal, and if the demo starts again.
    fileprivate var isLeftAtOnce: Bool { if case .success(.interrupted) = self { true } else { isRestart } }

    /// The exit code of a session with this result.
    fileprivate var exitCode: Int32 {
        switch self {
        case .success(let outcome): outcome.exitCode
        case .failure(let error): (error as? CommandFailure)?.exitCode ?? ExitStatus.done.rawValue
        }
    }
}
