import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripScreen
import TripText

/// Records the inputs of a session in a file and in memory.
///
/// Events may come from several tasks. A poll is written before the session sees it. A token event is only queued, because the
/// token provider reports it under its lock; ``flush()`` writes it.
final class SessionRecorder: Sendable {
    /// An event that is not written yet.
    struct Item: Sendable {
        let event: FeedMailbox.Item
        /// When it was queued.
        let moment: Moment
        /// Its number among all events.
        let number: Int
    }

    struct State {
        var ring = RecordingRing()
        var file: RecordingFile?
        var warning: String?
        /// The last recorded rate of the clock.
        var rate: Double
        /// The size of all lines in bytes.
        var size = 0
        /// How far the screen has read the events; `nil` if pictures of it are not recorded.
        var screen: ScreenTrack?
        /// The recorded inspections of tokens.
        var verdicts = TokenVerdictTable()
        /// The tokens of trips after their last recorded events; without evicted ones, so that the cache of tokens bounds it.
        var tokens: [JourneyID: ExaminedToken] = [:]
    }

    let header: RecordingHeader
    let clock: ScaledClock
    let tokens: TokenProvider
    let path: String?
    private let waiting = Mutex(Waiting())

    struct Waiting {
        var items: [Item] = []
        /// The number of events so far.
        var posted = 0
        /// Whether the session has ended.
        var isOver = false
    }

    let state: Mutex<State>

    /// Starts a recording; without a path, only the last minutes are stored in memory.
    ///
    /// - Throws: A ``CommandFailure`` if the file exists. Any other problem is reported by ``dequeueWarning()``.
    init(_ header: RecordingHeader, path: String?, clock: ScaledClock, tokens: TokenProvider) throws(CommandFailure) {
        self.header = header
        self.clock = clock
        self.tokens = tokens
        self.path = path
        var state = State(rate: clock.rate)
        if header.display.screen != nil { state.screen = ScreenTrack(at: clock.now(), rate: clock.rate) }
        if let path {
            do throws(OutputFile.Failure) {
                state.file = try RecordingFile(path)
                try state.file?.append(RecordingLine.bytes(header))
            } catch {
                if error == .system(EEXIST) {
                    throw CommandFailure(.outputFailed, .failureRecordExists(file: excerpt(path: path)))
                }
                Self.stop(&state, path, error)
            }
        }
        self.state = Mutex(state)
    }

    /// The start of the recording, as a replay reads it.
    var begins: Moment? { header.start.moment }

    /// The file of the recording; `nil` without one, and after it could not be written.
    var file: String? { state.withLock { $0.file == nil ? nil : path } }

    deinit { state.withLock { $0.file?.close() } }

    // MARK: Events

    /// Records an event and passes it on, so that the session reads the events in the recorded order.
    func record(_ event: FeedMailbox.Item, then pass: (FeedMailbox.Item) -> Void) {
        post(event, then: pass)
        flush()
    }

    /// Ends the events: the events of polls and tokens that are still in progress are neither recorded nor passed on.
    ///
    /// A replay judges every recorded event. So must the session, which has judged all events before this call.
    func endEvents() { waiting.withLock { $0.isOver = true } }

    /// Queues an event and passes it on; neither blocks nor calls the token provider.
    func post(_ event: FeedMailbox.Item, then pass: (FeedMailbox.Item) -> Void) {
        waiting.withLock {
            guard !$0.isOver else { return }
            $0.posted += 1
            $0.items.append(Item(event: event, moment: clock.now(), number: $0.posted))
            pass(event)
        }
    }

    /// Records another input of the session.
    func record(_ content: RecordedEvent.Content) {
        flush()
        state.withLock { state in
            if let line = state.screen?.step() { write(line.content, at: line.moment, &state) }
            write(content, at: clock.now(), &state)
        }
    }

    // MARK: Screen

    /// Writes the queued events and a change of the clock.
    func flush() {
        state.withLock { state in
            let items = waiting.withLock { waiting in
                defer { waiting.items = [] }
                return waiting.items
            }
            let rate = clock.rate
            if rate != state.rate {
                state.rate = rate
                write(.clock(RecordedClock(speed: rate)), at: clock.now(), &state)
            }
            for item in items { write(item, &state) }
        }
    }

    func write(_ item: Item, _ state: inout State) {
        switch item.event {
        case .token(let event):
            let inspection = inspection(of: event)
            state.verdicts.add(inspection, of: event, number: item.number)
            write(.token(RecordedToken(event, inspection: inspection)), at: event.at, &state)
            guard let trip = event.context.journey else { return }
            let token = ExaminedToken(event.status)
            state.tokens[trip] = token == ExaminedToken() ? nil : token
        case .search(let event): write(.search(event), at: item.moment, &state)
        case .feed(let event):
            let parts = event.parts.map { RecordingRing.Part(event.journey, $0) }
            let token = state.tokens[event.journey] ?? ExaminedToken()
            write(RecordedEvent.Content(event, after: token), at: item.moment, parts: parts, &state)
        }
    }

    func write(
        _ content: RecordedEvent.Content,
        at moment: Moment,
        parts: [RecordingRing.Part] = [],
        _ state: inout State
    ) {
        let line = RecordingLine.bytes(RecordedEvent(content, at: moment))
        state.size += line.count
        state.ring.add(line, at: clock.realTime, moment, parts: parts)
        guard let path else { return }
        do throws(OutputFile.Failure) {
            try state.file?.append(line)
        } catch {
            Self.stop(&state, path, error)
        }
    }

    private static func stop(_ state: inout State, _ path: String, _ error: OutputFile.Failure) {
        state.file?.close()
        state.file = nil
        state.warning = Localizer.ofProcess(
            .warningNotRecorded(file: excerpt(path: path), reason: error.reason(.ofProcess))
        )
    }

    // MARK: Results

    /// Returns the warning that the file is not written any more, once.
    func dequeueWarning() -> String? {
        state.withLock { state in
            defer { state.warning = nil }
            return state.warning
        }
    }
}

extension FeedEvent {
    /// The parts of a trip that the answer contains and that later answers may omit.
    fileprivate var parts: [GuardedPart] {
        guard case .polled(let report, _, _) = self, case .success(let trip) = report.outcome else { return [] }
        var parts: [GuardedPart] = []
        if trip.route != nil { parts.append(.route) }
        if trip.traffic != nil { parts.append(.traffic) }
        if trip.remainingWaypoints.contains(where: { $0.path != nil }) { parts.append(.waypointRoutes) }
        return parts
    }
}

extension RecordedEvent.Content {
    /// Converts an event of a trip; `token` is the trip's token after its last recorded event.
    init(_ event: FeedEvent, after token: ExaminedToken = ExaminedToken()) {
        self =
            switch event {
            case .polling(let trip, let schedule): .request(RecordedRequest(journey: trip, schedule: schedule))
            case .polled(let report, _, let schedule): .poll(RecordedPoll(report, schedule: schedule, after: token))
            case .found(let trip, let findings): .findings(RecordedFindings(journey: trip, findings))
            case .omitted(let trip, let omission):
                .omission(RecordedOmission(of: "poll", RecordedSubject(.journey(trip)), omission))
            case .scheduled(let trip, let schedule):
                .schedule(RecordedScheduleChange(journey: trip, schedule: schedule))
            case .driver(let trip, let call): .driver(RecordedDriver(journey: trip, call))
            case .ended(let trip, let end): .end(RecordedEnd(trip: trip.name, end))
            }
    }
}
