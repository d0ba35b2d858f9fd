import Failures
import Synchronization
import TripFeed
import TripModel

/// Passes the calls of a demo's drivers to the session that follows their trips.
///
/// The drivers start before the session and may end after it.
final class DriverCallRelay: Sendable {
    private let report = Mutex<(@Sendable (FeedEvent) -> Void)?>(nil)

    /// Passes the calls about some trips to a closure, which must not block; the earlier closure gets no more.
    func connect(trips: Set<JourneyID>, _ report: @escaping @Sendable (FeedEvent) -> Void) {
        self.report.withLock {
            $0 = { event in if trips.contains(event.journey) { report(event) } }
        }
    }

    /// Ends the connection.
    func disconnect() { report.withLock { $0 = nil } }

    /// Passes on a call; it is lost without a connection.
    func pass(_ call: Call, about trips: Set<JourneyID>) {
        guard let report = report.withLock(\.self) else { return }
        for trip in trips.sorted(by: { $0.rawValue < $1.rawValue }) {
            var call = call
            call.subject = trip.name
            report(.driver(trip, call))
        }
    }
}
