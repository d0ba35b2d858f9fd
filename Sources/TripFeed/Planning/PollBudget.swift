/// Limits the request rate of all trips together; without side effects.
///
/// Requests get slots at a distance of one ``cost``, after a burst of at most ``burst`` requests. This prevents a surge of
/// polls after a suspension of the machine or a network outage, and stays within the quota. Google's quota is 9000 reads per minute
/// for all clients of a project.
package struct PollBudget: Sendable, Equatable {
    /// The quota in requests per minute; `nil` for none.
    package let requestsPerMinute: Int?
    /// The regular poll interval of each trip.
    package let interval: Duration
    /// The number of trips that share the budget.
    package var trips = 1
    /// The earliest time of the next request without bursts, on the steady clock.
    private var next = Duration.zero

    /// The maximum number of requests in a burst.
    package static let burst = 20

    package init(requestsPerMinute: Int?, interval: Duration) {
        self.requestsPerMinute = requestsPerMinute.map { max(1, $0) }
        self.interval = interval
    }

    /// The distance between two requests.
    ///
    /// It is 2 % more than the quota's, because the network changes the distances, or half of the distance that the intervals
    /// require if that is longer.
    private var cost: Duration {
        let quota = requestsPerMinute.map { .seconds(60) / $0 * 1.02 } ?? Duration.zero
        return max(quota, interval / Double(2 * max(1, trips)))
    }

    /// The shortest interval at which all trips stay within the quota.
    package var shortestInterval: Duration {
        requestsPerMinute.map { .seconds(60) / $0 * max(1, trips) } ?? .zero
    }

    /// Takes a slot.
    ///
    /// - Returns: `nil` if the request may be sent now, else its time. Do not take another slot then.
    package mutating func reserve(at now: Duration) -> Duration? {
        defer { next = max(next, now) + cost }
        return nextSlot(at: now)
    }

    /// Returns the time of the next slot without taking it; `nil` if a request may be sent now.
    func nextSlot(at now: Duration) -> Duration? {
        let slot = max(next, now) + cost - cost * Self.burst
        return slot > now ? slot : nil
    }

    /// Allows no request before a time, and no burst then: the service has reported that the quota is used up.
    mutating func hold(until time: Duration) { next = max(next, time + cost * (Self.burst - 1)) }
}
