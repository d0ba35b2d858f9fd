import FleetTokens
import Runtime
import TripFeed
import TripModel

/// Writes only the last state of each trip of a recording, when the session ends, in the form of another output.
///
/// A state is what `watch --once` writes about a poll: the last answer, and the last failure if no answer came after it.
struct LastStateOutput<Lines: SessionOutput>: SessionOutput where Lines.Input == Never {
    /// An event, its number among all events of the recording, and its time.
    private struct Numbered {
        let number: EventNumber
        let item: SessionItem
    }

    /// What is known of a trip at the end.
    private struct Last {
        var answer: Numbered?
        /// The failure of the last poll; `nil` if it got an answer.
        var failure: Numbered?
        /// The last event of a token that could not be fetched, the cause of failed polls.
        var token: Numbered?
        var end: (outcome: String, at: Moment)?
    }

    private var lines: Lines
    private var last: [JourneyID: Last] = [:]
    /// The trips in the order of their first events.
    private var trips: [JourneyID] = []

    /// Creates an output that writes in the form of another output.
    init(_ lines: Lines) { self.lines = lines }

    mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        guard case .polled(let report, _, _) = event else { return }
        let poll = Numbered(number: table.lastEvent, item: SessionItem(.feed(event), at: now))
        change(report.journey) { last in
            switch report.outcome {
            case .success: (last.answer, last.failure) = (poll, nil)
            case .failure: last.failure = poll
            }
        }
    }

    mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
        guard let trip = event.context.journey else { return }
        let fetch = Numbered(number: table.lastEvent, item: SessionItem(.token(event), at: now))
        change(trip) { $0.token = event.status.lastError == nil ? nil : fetch }
    }

    mutating func update(_ results: [ExpectationResult], changed: [Int], at now: Moment) {
        lines.update(results, changed: changed, at: now)
    }

    mutating func tripEnded(_ journey: JourneyID, outcome: String, at now: Moment) {
        change(journey) { $0.end = (outcome, now) }
    }

    func close() async -> CommandFailure? {
        var (lines, table) = (lines, JourneyTable())
        func show(_ event: Numbered) {
            table.skip(to: event.number)
            let changes = table.apply(event.item)
            lines.receive(event.item, changes, table)
        }
        for trip in trips {
            guard let last = last[trip] else { continue }
            if let answer = last.answer { show(answer) }
            if let failure = last.failure {
                if let token = last.token { show(token) }
                show(failure)
            }
            if let end = last.end { lines.tripEnded(trip, outcome: end.outcome, at: end.at) }
        }
        return await lines.close()
    }

    func show(_ summary: NoticeSummary, at now: Moment) { lines.show(summary, at: now) }

    private mutating func change(_ journey: JourneyID, _ body: (inout Last) -> Void) {
        if !last.keys.contains(journey) { trips.append(journey) }
        body(&last[journey, default: Last()])
    }
}
