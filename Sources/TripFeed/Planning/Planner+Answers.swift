package import Failures
package import TripModel

extension Planner {
    /// The delay after the service reported that a quota is used up, if it asks for none.
    private static let quotaDelay = Duration.seconds(5)

    /// Records the answer to a request for a journey; returns how it ended, which the caller confirms with ``end(_:)``.
    ///
    /// A named journey ends as its rules say, after one more poll. A trip of a project was listed, too, and ends at once.
    @discardableResult
    package mutating func answered(_ journey: Journey, isMoving: Bool, at now: Duration) -> FeedEnd? {
        inFlight -= 1
        guard journeys[journey.id]?.isInFlight == true else { return nil }
        update(journey.id) { planned in
            planned.finish()
            planned.rules.answered(journey, at: now)
            planned.isSeen = true
            if isMoving { planned.movingSince = now }
        }
        if sweep == nil { return journeys[journey.id]?.rules.end }
        return journey.status.isTerminal ? .reached(journey.status) : nil
    }

    /// Records a failed request for a journey.
    ///
    /// - Parameters:
    ///   - id: The journey.
    ///   - failure: The failure.
    ///   - now: The time of the answer.
    ///   - random: Provides the jitter that spreads the retries of many clients.
    /// - Returns: How the journey ended, which the caller confirms with ``end(_:)``; `nil` if it did not.
    @discardableResult
    package mutating func failed(
        _ id: JourneyID,
        _ failure: Failure,
        at now: Duration,
        random: inout some RandomNumberGenerator
    ) -> FeedEnd? {
        inFlight -= 1
        holdIfExhausted(failure, at: now, random: &random)
        guard journeys[id]?.isInFlight == true else { return nil }
        update(id) { planned in
            // A missing trip is polled again after the next sweep.
            planned.finish()
            planned.rules.failed(failure, at: now, random: &random)
        }
        if sweep == nil { return journeys[id]?.rules.end }
        // A trip that was known and is gone has been deleted.
        return failure.code == .notFound && journeys[id]?.isSeen == true ? .failed(failure) : nil
    }

    /// Records that a request has ended whose journey was removed meanwhile.
    package mutating func dropped() { inFlight -= 1 }

    /// Records a page of the sweep.
    ///
    /// - Parameters:
    ///   - found: The listed trips and whether their vehicles have moved.
    ///   - pageToken: The token of the next page; `nil` on the last one.
    ///   - now: The time of the answer.
    /// - Returns: The trips that are followed; too many and ended ones are left out.
    package mutating func searched(
        _ found: [(journey: JourneyID, isMoving: Bool)],
        pageToken: String?,
        at now: Duration
    ) -> Set<JourneyID> {
        guard let number = sweep?.number, sweep?.due == nil else { return [] }
        inFlight -= 1
        var followed: Set<JourneyID> = []
        for (id, isMoving) in found {
            if ended[id] != nil { ended[id] = number }
            guard ended[id] == nil, journeys[id] != nil || journeys.count < policy.mostTrips else { continue }
            followed.insert(id)
            if journeys[id] == nil { insert(id, listed(at: now)) }
            update(id) { planned in
                (planned.sweep, planned.isSeen, planned.missingSince) = (number, true, nil)
                if isMoving, !planned.isInFlight, planned.movingSince == nil { planned.movingSince = now }
            }
        }
        let isLast = sweep?.answered(
            listed: followed.count,
            pageToken: pageToken,
            mostTrips: policy.mostTrips,
            at: now
        )
        if isLast == true { finishSweep(number, isComplete: pageToken == nil, at: now) }
        return followed
    }

    private mutating func finishSweep(_ number: Int, isComplete: Bool, at now: Duration) {
        // An answer of another server may be older, so that one sweep without an ended trip is not enough.
        ended = ended.filter { $0.value >= number - 1 }
        guard isComplete else { return }
        let unlisted = journeys.filter { $0.value.sweep < number && $0.value.missingSince == nil }.keys
        for id in unlisted.sorted(by: { $0.rawValue < $1.rawValue }) { update(id) { $0.missingSince = now } }
    }

    /// Records a failed page.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - now: The time of the answer.
    ///   - random: Provides the jitter that spreads the retries of many clients.
    package mutating func searchFailed(
        _ failure: Failure,
        at now: Duration,
        random: inout some RandomNumberGenerator
    ) {
        guard sweep?.due == nil else { return }
        inFlight -= 1
        sweep?.failed(failure, at: now, jitter: Double.random(in: 0...1, using: &random))
        holdIfExhausted(failure, at: now, random: &random)
    }

    /// Sends nothing for a while if a quota of the project is used up.
    private mutating func holdIfExhausted(
        _ failure: Failure,
        at now: Duration,
        random: inout some RandomNumberGenerator
    ) {
        guard sweep != nil, failure.httpStatus == 429 else { return }
        let jitter = Double.random(in: 0...1, using: &random)
        let delay = RetryDelay(after: 1, interval: Self.quotaDelay, requested: failure.retryAfter, jitter: jitter)
        budget.hold(until: now + delay.duration)
    }
}
