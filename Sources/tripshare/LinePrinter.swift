import FleetTokens
import Foundation
import TripFeed
import TripModel
import TripText

/// Turns news into lines on standard output: sentences, or JSON.
struct LinePrinter {
    private let form: OutputForm
    private(set) var plain: PlainOutput
    /// Trips of whose end has been told, and that an ``Ending`` still counts.
    private(set) var ended: Set<TripID> = []
    /// What was said last of a token: an event that is no outcome and changes nothing of what is shown says it again.
    private var lastOfTokens = ""
    /// By how much the token endpoint's clock is ahead of ours; `nil` where that is not known.
    private var endpointOffset: Duration?
    private let out: (String) -> Void

    /// A printer of a form; of the screen's, the plain one.
    init(form: OutputForm, plain: PlainOutput, out: ((String) -> Void)? = nil) {
        self.form = form
        self.plain = plain
        self.out = out ?? (form == .json ? { Printing.json(line: $0) } : { Printing.out($0) })
    }

    /// Prints news of a trip.
    mutating func take(_ event: FeedEvent, at now: Moment) {
        switch form {
        case .json:
            for line in JSONOutput.lines(event, host: plain.host, endpoint: endpointOffset, at: now) { out(line) }
        case .plain, .tui: for line in plain.lines(for: event, now: now) { out(line) }
        }
    }

    /// Prints news of a token.
    mutating func take(_ event: TokenEvent, at now: Moment) {
        if case .stored = event.kind { endpointOffset = event.status.clockOffset }
        switch form {
        case .json:
            let news = JSONOutput.state(event)
            if event.kind.isOutcome || news != lastOfTokens { out(JSONOutput.line(event, at: now)) }
            lastOfTokens = news
        case .plain, .tui: for line in plain.lines(for: event) { out(line) }
        }
    }

    /// Prints how following a trip ended, once; a trip that comes back may end again.
    mutating func end(_ event: FeedEvent, _ ending: Ending, at now: Moment) {
        switch event {
        case .ended(let trip, _):
            end(trip, ending.word(for: trip), at: now)
            // It is settled: nothing is said of it when all is over.
            if ending.isOpen { ended.remove(trip) }
        case .polling(let trip, _): ended.remove(trip)
        case .polled, .scheduled, .found, .omitted: break
        }
    }

    /// Prints how following the other trips ended.
    mutating func end(_ ending: Ending, _ outcome: Ending.Outcome, at now: Moment) {
        for trip in ending.trips { end(trip, ending.word(for: trip, overall: outcome), at: now) }
    }

    private mutating func end(_ trip: TripID, _ word: String, at now: Moment) {
        guard form == .json, ended.insert(trip).inserted else { return }
        out(JSONOutput.end(trip: trip, outcome: word, at: now))
    }
}
