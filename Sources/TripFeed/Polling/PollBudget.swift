import Synchronization
import TripModel

/// How many requests all trips together may make, and how close together; pure.
///
/// Requests get slots one ``cost`` apart, after a burst of at most ``burst`` that fall together by chance. So neither a
/// machine that wakes from a suspension nor a network that comes back is followed by all polls at once, and no more than
/// the quota is spent. Google's quota of reads is 9000 a minute for all clients of a project (reference, section 6).
package struct PollBudget: Sendable, Equatable {
    /// The quota; `nil` for none.
    package let requestsPerMinute: Int?
    /// The interval at which each trip is asked for when all goes well.
    package let interval: Duration
    /// The trips that share the budget.
    package var trips = 1
    /// When the next request could be made if there were no bursts, as a reading of the steady clock.
    private var next = Duration.zero

    /// Requests that may fall together.
    package static let burst = 20

    /// A budget of which nothing is spent yet.
    package init(requestsPerMinute: Int?, interval: Duration) {
        self.requestsPerMinute = requestsPerMinute.map { max(1, $0) }
        self.interval = interval
    }

    /// The distance of two requests: the quota's, or half of what the intervals come to where that is more.
    private var cost: Duration {
        let quota = requestsPerMinute.map { .seconds(60) / $0 } ?? Duration.zero
        return max(quota, interval / Double(2 * max(1, trips)))
    }

    /// The shortest interval at which all trips stay within the quota.
    package var shortestInterval: Duration {
        requestsPerMinute.map { .seconds(60) / $0 * max(1, trips) } ?? .zero
    }

    /// Takes a slot.
    ///
    /// - Returns: `nil` where the request may be made now, else when it may be; it is not asked for again then.
    package mutating func take(at now: Duration) -> Duration? {
        next = max(next, now) + cost
        let slot = next - cost * Self.burst
        return slot > now ? slot : nil
    }
}

/// The one budget of all pollers.
package final class SharedBudget: Sendable {
    private let budget: Locked<PollBudget>

    /// Shares a budget.
    package init(_ budget: PollBudget) {
        self.budget = Locked(budget)
    }

    /// The trips that share it.
    package var trips: Int {
        get { budget.withLock { $0.trips } }
        set { budget.withLock { $0.trips = newValue } }
    }

    /// The shortest interval that the quota allows now.
    package var shortestInterval: Duration { budget.withLock { $0.shortestInterval } }

    /// Takes a slot; `nil` where the request may be made now, else when it may be.
    package func take(at now: Duration) -> Duration? { budget.withLock { $0.take(at: now) } }
}
