import FleetTokens
import Foundation
import TripFeed
import TripModel
import TripText

/// Prints events on standard output, as sentences or JSON.
struct LinePrinter {
    private let form: OutputForm
    private(set) var plain: PlainOutput
    /// Trips whose end was printed and which the ``CompletionTracker`` still counts.
    private(set) var ended: Set<TripID> = []
    /// The content last printed about a token; an event that repeats it is not printed.
    private var lastOfTokens = ""
    /// How far the token endpoint's clock is ahead of the local clock; `nil` if unknown.
    private var endpointOffset: Duration?
    private let out: (String) -> Void

    /// Creates a printer; the `tui` form prints as `plain`.
    init(form: OutputForm, plain: PlainOutput, out: ((String) -> Void)? = nil) {
        self.form = form
        self.plain = plain
        self.out = out ?? (form == .json ? { Printing.json(line: $0) } : { Printing.out($0) })
    }

    /// Prints a feed event.
    mutating func take(_ event: FeedEvent, at now: Moment) {
        switch form {
        case .json:
            for line in JSONOutput.lines(event, host: plain.host, endpoint: endpointOffset, at: now) { out(line) }
        case .plain, .tui: for line in plain.lines(for: event, now: now) { out(line) }
        }
    }

    /// Prints a token event.
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

    /// Prints the end of a trip, once; a trip that is added again may end again.
    mutating func end(_ event: FeedEvent, _ completion: CompletionTracker, at now: Moment) {
        switch event {
        case .ended(let trip, _):
            end(trip, completion.word(for: trip), at: now)
            // The tracker drops the trip now, so no second line is printed for it at the end of the session.
            if completion.isOpen { ended.remove(trip) }
        case .polling(let trip, _): ended.remove(trip)
        case .polled, .scheduled, .found, .omitted: break
        }
    }

    /// Prints the end of the remaining trips.
    mutating func end(_ completion: CompletionTracker, _ outcome: CompletionTracker.Outcome, at now: Moment) {
        for trip in completion.trips { end(trip, completion.word(for: trip, overall: outcome), at: now) }
    }

    private mutating func end(_ trip: TripID, _ word: String, at now: Moment) {
        guard form == .json, ended.insert(trip).inserted else { return }
        out(JSONOutput.end(trip: trip, outcome: word, at: now))
    }
}
