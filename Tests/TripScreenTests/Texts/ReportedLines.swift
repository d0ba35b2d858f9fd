import FleetTokens
import Runtime
import TripFeed
import TripText

/// Plain output of a session: its events are folded, and the lines are about what they change.
struct ReportedLines {
    private var table = JourneyTable()
    private var plain: PlainLines

    init(_ plain: PlainLines) { self.plain = plain }

    mutating func lines(for event: FeedEvent, now: Moment) -> [String] {
        let changes = table.apply(event, at: now)
        return plain.lines(for: changes, table)
    }

    mutating func lines(for event: TokenEvent) -> [String] {
        let changes = table.apply(event)
        return plain.lines(for: changes, table)
    }
}
