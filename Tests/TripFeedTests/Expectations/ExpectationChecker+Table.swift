import Runtime
import TripFeed

extension ExpectationChecker {
    /// Judges by an event that a table has recorded.
    mutating func handle(_ event: FeedEvent, in table: inout JourneyTable, at now: Moment) -> [Int] {
        _ = table.apply(event, at: now)
        return handle(event, table, at: now)
    }
}
