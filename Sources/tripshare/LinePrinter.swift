import FleetTokens
import Foundation
import TripFeed
import TripModel
import TripScreen

/// Turns news into lines on standard output: sentences, or JSON.
struct LinePrinter {
    private let form: OutputForm
    private var plain: PlainOutput

    /// A printer of a form; of the screen's, the plain one.
    init(form: OutputForm, plain: PlainOutput) {
        self.form = form
        self.plain = plain
    }

    /// Prints news of a trip.
    mutating func take(_ event: FeedEvent, at now: Moment) {
        switch form {
        case .json: for line in JSONOutput.lines(event, at: now) { Printing.out(line) }
        case .plain, .tui: for line in plain.lines(for: event, now: now) { Printing.out(line) }
        }
    }

    /// Prints news of a token.
    mutating func take(_ event: TokenEvent) {
        switch form {
        case .json: Printing.out(JSONOutput.line(event))
        case .plain, .tui: for line in plain.lines(for: event) { Printing.out(line) }
        }
    }

    /// Prints how following ended.
    func end(_ ending: Ending, _ outcome: Ending.Outcome, trips: [TripID], at now: Moment) {
        guard form == .json else { return }
        for trip in trips {
            Printing.out(JSONOutput.end(trip: trip, outcome: ending.word(for: trip, overall: outcome), at: now))
        }
    }
}
