import AsyncAlgorithms
import FleetTokens
import Recording
import Runtime
import TripFeed
import TripModel

/// An output format of a session.
///
/// ``SessionRunner`` calls it from one task, in the order of the events. A format that only writes implements the two
/// functions without a default.
protocol SessionOutput: SessionObserver {
    /// An event of the output itself, such as a key.
    associatedtype Input: Sendable = Never

    /// Shows an event of a trip, what it has changed, and the facts after it.
    mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment)
    /// Shows an event of a token, what it has changed, and the facts after it.
    mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment)
    /// Shows an entry of a log.
    mutating func update(_ step: LiveLog.Step, at now: Moment)
    /// Shows the results of all expectations; the results with these numbers have changed.
    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment)
    /// Shows a page of a search for the trips of the project; a failed one after a successful one is reported by ``warn(_:)``, too.
    mutating func update(_ search: SearchEvent, at now: Moment)
    /// Shows a remark of the recording that is played.
    mutating func update(_ remark: SessionRemark, at now: Moment)
    /// Shows the outcome of a trip; called once per trip, at the latest when the session ends.
    mutating func tripEnded(_ journey: JourneyID, outcome: String, at now: Moment)

    /// Reports a problem of the session itself, such as a full disk.
    mutating func warn(_ text: String)
    /// Shows which notices are not delivered yet.
    mutating func update(_ progress: NoticeProgress)

    /// Whether the output itself plays the recording of a replay, because the user moves in it.
    var playsRecordings: Bool { get }
    /// Returns the items that the output has played for the first time since the last call.
    mutating func dequeuePlayed() -> [SessionItem]

    /// Whether the user ends the session and controls which trips are followed.
    var isInteractive: Bool { get }
    /// The output's own events.
    var inputs: AsyncChannel<Input> { get }
    /// Sends events to ``inputs`` until cancelled.
    func sendInputs() async
    /// Processes an event of ``inputs``.
    mutating func update(_ input: Input)
    /// Sets the current time; called before the events of that time.
    mutating func advance(to now: Moment)
    /// Shows what has changed; called before the first event and after each batch of events.
    ///
    /// - Returns: The result of the session if the output ends it.
    mutating func flush(to feed: TripFeed) async -> Result<CompletionTracker.Outcome, any Error>?
    /// Writes the files of the output; called when the session is over, before notices are awaited.
    mutating func conclude()
    /// Releases the output's resources after the session, and waits for what the user asked for.
    ///
    /// - Returns: The failure of the command if something that the user asked for was not done.
    func close() async -> CommandFailure?
    /// Says what became of the notices; called after ``close()`` if there are receivers.
    func show(_ summary: NoticeSummary, at now: Moment)
}

extension SessionOutput {
    mutating func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        update(item, changes, table)
    }
    /// Shows an item.
    mutating func update(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        switch item.content {
        case .feed(let event): update(event, changes, table, at: item.at)
        case .token(let event): update(event, changes, table, at: item.at)
        case .remark(let remark): update(remark, at: item.at)
        case .search(let search): update(search, at: item.at)
        case .step(let step): update(step, at: item.at)
        case .problem(let text): warn(text)
        case .riderCall: break
        }
    }
    mutating func update(_ step: LiveLog.Step, at now: Moment) {}
    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {}
    mutating func update(_ search: SearchEvent, at now: Moment) {}
    mutating func update(_ remark: SessionRemark, at now: Moment) {}
    mutating func tripEnded(_ journey: JourneyID, outcome: String, at now: Moment) {}
    mutating func warn(_ text: String) { Printing.error(text) }
    mutating func update(_ progress: NoticeProgress) {}
    mutating func conclude() {}
    mutating func advance(to now: Moment) {}
    var playsRecordings: Bool { false }
    mutating func dequeuePlayed() -> [SessionItem] { [] }
    mutating func flush(to feed: TripFeed) async -> Result<CompletionTracker.Outcome, any Error>? { nil }
    func close() async -> CommandFailure? { nil }
    func show(_ summary: NoticeSummary, at now: Moment) {
        guard summary.total > 0 else { return }
        let texts = [summary.text(.ofProcess), summary.hint(.ofProcess)].compactMap(\.self)
        Printing.error(texts.joined(separator: " "))
    }
}

extension SessionOutput where Input == Never {
    var isInteractive: Bool { false }
    var inputs: AsyncChannel<Never> { AsyncChannel() }
    func sendInputs() async {}
    mutating func update(_ input: Never) {}
}
