import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripText

/// The loop of a session: passes each item of its source to the observers, in one order, until the session is over.
///
/// ```
/// item ─▶ SessionConfiguration.observers ─▶ notices ─▶ output ─▶ CompletionTracker (over?)
/// ```
///
/// The mailbox of a live session passes items to the first ones when they are posted, because a slow screen never reads some of
/// them. What a screen plays itself is passed on after it was shown.
struct SessionLoop<Output: SessionOutput> {
    typealias Outcome = CompletionTracker.Outcome

    /// What the loop waits for.
    enum Event: Sendable {
        /// The mailbox has feed or token events.
        case mail
        /// No more trips will be added, and all have ended.
        case closed
        /// A part of the recording or of the log.
        case part(SessionSource.Part)
        /// The `--timeout` has expired.
        case timeout
        /// No first answer arrived within ``SessionRunner/firstContactLimit``.
        case noFirstContact
        /// There is something to say about notices, or time has passed while they are awaited.
        case noticesChanged
        /// The wait for notices at the end is over.
        case noticesFinished
        /// A signal requests the end.
        case signal(Int32)
        /// An input of the output.
        case input(Output.Input)
    }

    let configuration: SessionConfiguration
    let notices: NoticeSender
    let news: NoticeNews
    private let request: EndRequest
    /// The output, which the loop changes.
    var output: Output
    private var completion: CompletionTracker
    /// What the items have shown of each trip.
    private var table = JourneyTable()
    /// The time of the last item.
    private var latest: Moment?
    /// Bounds the messages about notices.
    var messages = NoticeMessages()
    /// The receivers that are slow.
    var slowReceivers = SlowReceivers()

    /// Creates the loop of a session that has not begun.
    init(
        _ configuration: SessionConfiguration,
        _ output: Output,
        _ notices: NoticeSender,
        _ news: NoticeNews,
        _ request: EndRequest
    ) {
        (self.configuration, self.output) = (configuration, output)
        (self.notices, self.news, self.request) = (notices, news, request)
        let source = configuration.source
        completion = CompletionTracker(
            // A log and a recording end by themselves: the state that `--once` shows is the last one.
            goal: !source.polls && configuration.goal == .once ? .end : configuration.goal,
            trips: configuration.trips,
            isOpen: configuration.isOpen,
            // A file of trips or a log may be empty; a sweep of a project that never returned a trip has followed none.
            needsTrip: source.isProject
        )
    }

    /// Runs until the session is over.
    mutating func run<Events: AsyncIteratorProtocol>(
        _ events: inout Events,
        _ mailbox: FeedMailbox,
        _ feed: TripFeed
    ) async -> Result<Outcome, any Error> where Events.Element == Event, Events.Failure == Never {
        if let text = configuration.announcement { output.warn(text) }
        announceEarlierNotices()
        if let result = await flush(to: feed) { return result }
        while let event = await events.next(isolation: #isolation) {
            output.advance(to: configuration.clock.now())
            if let outcome = receive(output.dequeuePlayed()) { return .success(end(outcome)) }
            if let outcome = handle(event, mailbox) { return .success(outcome) }
            if let text = configuration.recorder?.dequeueWarning() { output.warn(text) }
            showBacklog()
            if let result = await flush(to: feed) { return result }
        }
        return .success(end(.interrupted(SIGINT)))
    }

    private mutating func flush(to feed: TripFeed) async -> Result<Outcome, any Error>? {
        guard let result = await output.flush(to: feed) else { return nil }
        // The last keys may have moved a replay before they ended it.
        if let outcome = receive(output.dequeuePlayed()), case .success(.done) = result {
            return .success(end(outcome))
        }
        return result
    }

    /// Processes an event; returns the outcome of the session when it is over.
    private mutating func handle(_ event: Event, _ mailbox: FeedMailbox) -> Outcome? {
        switch event {
        case .mail:
            configuration.recorder?.flush()
            // Each event was judged when it was posted, and its result is shown after it.
            let (items, posted, changed) = mailbox.dequeueBatch {
                configuration.expectations?.dequeueChanged() ?? []
            }
            // Read after the events were taken: none of them is later.
            let now = configuration.clock.now()
            configuration.recorder?.screenRead(upTo: posted)
            let judged = items.lastIndex(where: \.isJudged).map { $0 + 1 } ?? 0
            let first = receive(items[..<judged].map { SessionItem(read: $0, at: now) })
            showExpectations(changed, at: now)
            let second = receive(items[judged...].map { SessionItem(read: $0, at: now) })
            if let outcome = first ?? second { return end(outcome) }
            return configuration.watch?.overdue.map { end(completion.miss($0, table)) }
        case .closed:
            // A screen stays open until the user quits or its script ends.
            if let outcome = completion.close(), !output.isInteractive { return end(outcome) }
        case .part(.items(let items)): return receive(items).map { end($0) }
        case .part(.end):
            let isLog = configuration.source.log != nil
            guard output.isInteractive else { return end(completion.endOfReplay(table), isEndOfRecording: !isLog) }
            // The last screen stays as it was.
            configuration.clock.control.pause(true)
            if isLog { output.warn(Localizer.ofProcess(.sideLogEnded)) }
        case .timeout:
            return end(completion.timeout(table))
        case .noFirstContact:
            if table.firstAnswer == nil, !completion.isOpen, let (trip, failure) = completion.lastFailure {
                return end(.failed(trip, failure))
            }
        case .noticesChanged: reportNotices()
        case .noticesFinished: break
        case .signal(let number): return end(.interrupted(number))
        case .input(let input): output.update(input)
        }
        return nil
    }

    // MARK: Items

    /// Passes items to all observers; returns an outcome if one of them reaches the goal.
    ///
    /// In a live session the remaining items are passed on, too, because they are recorded and judged. A recording or a log ends
    /// with the item that reaches the goal, so that a fast replay ends at the same item as a slow replay.
    private mutating func receive(_ items: [SessionItem]) -> Outcome? {
        let isLive = configuration.source.polls
        let observers = isLive ? [] : configuration.observers
        var first: Outcome?
        for item in items {
            // A problem belongs to the item before it.
            let isProblem = if case .problem = item.content { true } else { false }
            if !isProblem, let outcome = request.outcome(of: completion, table) {
                configuration.recorder?.screenLeavesOutEvents()
                return outcome
            }
            latest = item.at
            let isExcess = if case .feed(let event) = item.content { completion.isExcess(event) } else { false }
            // A replay shows all events that the screen has read.
            if isExcess, !output.isInteractive { continue }
            let changes = table.apply(item)
            observers.receive(item, changes, table)
            if isExcess {
                output.receive(item, changes, table)
                continue
            }
            let outcome = pass(item, changes)
            first = first ?? outcome
            guard !isLive else { continue }
            showExpectations(configuration.expectations?.dequeueChanged() ?? [], at: item.at)
            if first != nil { return first }
        }
        return first
    }

    /// Passes an item to the notices, the output and the tracker; returns an outcome if it reaches the goal.
    private mutating func pass(_ item: SessionItem, _ changes: [JourneyChange]) -> Outcome? {
        notices.receive(item, changes, table)
        let isFirstFailure = completion.searchFailure == nil
        let outcome = SessionRunner.pass(item, changes, table, to: &output, &completion)
        if isFirstFailure, case .search(let search) = item.content { warn(of: search) }
        // A screen stays open after the last trip, until the user quits.
        if output.isInteractive && configuration.goal == .end { return nil }
        // The last state of a trip may come after another one has ended.
        return configuration.isSummary && !configuration.source.polls ? nil : outcome
    }

    /// Says that the trips of the project can't be listed any more; a screen that plays a recording shows what was said then.
    private mutating func warn(of failed: SearchEvent) {
        guard let failure = failed.failure, !failed.isRequested, !configuration.searches.contains(failed),
            configuration.source.replay == nil || !output.playsRecordings
        else { return }
        output.warn(configuration.warning(of: failure))
    }

    /// Shows all expectations; the expectations with these numbers have changed.
    private mutating func showExpectations(_ changed: [Int], at now: Moment) {
        guard let expectations = configuration.expectations, !changed.isEmpty else { return }
        output.update(expectations.results, changed: changed, at: now)
    }

    /// Ends the session: decides the expectations, and shows the outcomes of the trips that have not ended.
    private mutating func end(_ outcome: Outcome, isEndOfRecording: Bool = false) -> Outcome {
        configuration.recorder?.endEvents()
        let isPlayed = configuration.source.replay != nil && !output.playsRecordings
        let now = isPlayed ? latest ?? configuration.clock.now() : configuration.clock.now()
        configuration.expectations?.noteSearch(of: configuration.provider, failure: completion.searchFailure)
        configuration.expectations?.finish(at: now)
        showExpectations(configuration.expectations?.dequeueChanged() ?? [], at: now)
        for (journey, word) in completion.unreportedOutcomes(overall: outcome) {
            // A recording that has ended is no time-out.
            let word = isEndOfRecording && word == "timed_out" ? "recording_ended" : word
            output.tripEnded(journey, outcome: word, at: now)
        }
        if configuration.isSummary {
            for trip in configuration.source.log?.refusedTrips ?? [] where !configuration.trips.contains(trip) {
                output.tripEnded(trip, outcome: "log_ended", at: now)
            }
        }
        return outcome
    }
}

extension FeedMailbox.Item {
    /// Whether it can decide an expectation: the result of a poll, or findings.
    fileprivate var isJudged: Bool {
        switch self {
        case .feed(.polled), .feed(.found): true
        case .feed, .token, .search: false
        }
    }
}
