package import Failures
package import FleetTokens
package import Runtime
package import TripFeed
package import TripModel

/// Something about a trip that a person may want to be notified of.
package struct Notice: Sendable {
    /// The kinds; the raw values are the names on the command line and in JSON.
    package enum Kind: String, Sendable, CaseIterable {
        /// The status changed.
        case status
        /// The vehicle arrives at the next own stop within a number of minutes.
        case arrival
        /// As ``arrival``, if the stop is the pickup.
        case pickup
        /// As ``arrival``, if the stop is the drop-off or the place of a shipment.
        case dropoff
        /// The arrival at the next own stop is later than first promised by a number of minutes.
        case late
        /// The vehicle has at most a number of other stops before the next own stop.
        case stops
        /// The promised time window of a shipment moved.
        case window
        /// The position of the vehicle is no longer known.
        case stale
        /// The vehicle reports again after it was silent; after an outage of the polls, ``recovered`` says that there are answers.
        case fresh
        /// Polls begin to fail.
        case failure
        /// Polls have failed for a number of seconds.
        case failing
        /// A poll succeeded again.
        case recovered
        /// A rule reported a finding.
        case finding
        /// A certain rule reported a finding.
        case found
        /// The vehicle, the pickup, the drop-off, the stops or the number of passengers changed.
        case plan
        /// The trip is no longer followed.
        case end
    }

    /// What happened.
    package enum Content: Sendable {
        /// A status, and the previous status.
        case status(JourneyStatus, after: JourneyStatus)
        /// An arrival at a stop, and the minutes that were asked for.
        case arrival(Arrivals.Arrival, minutes: Double)
        case pickup(Arrivals.Arrival, minutes: Double)
        case dropoff(Arrivals.Arrival, minutes: Double)
        case late(Arrivals.Arrival, minutes: Double)
        /// The stops, and the number that was asked for.
        case stops(StopsAhead, most: Double)
        /// The window, and the previous window.
        case window(TimeWindow, before: TimeWindow)
        /// The age of the position.
        case stale(PositionAge)
        case fresh
        case failure(Failure)
        /// The last failure, since when polls fail, and the seconds that were asked for.
        case failing(Failure, Outage, seconds: Double)
        case recovered
        case finding(Finding)
        case found(Finding)
        /// The changed parts in the order of ``TripField``.
        case plan([TripField])
        case end(FeedEnd)
    }

    /// When it was noticed, by the local clock.
    package var time: Moment
    /// The journey.
    package var journey: JourneyID
    /// What is known about the trip then.
    package var state: TripState?
    /// The status of the token that explains a failure; `nil` if none does.
    package var token: TokenStatus?
    /// What happened.
    package var content: Content

    /// The kind.
    package var kind: Kind {
        switch content {
        case .status: .status
        case .arrival: .arrival
        case .pickup: .pickup
        case .dropoff: .dropoff
        case .late: .late
        case .stops: .stops
        case .window: .window
        case .stale: .stale
        case .fresh: .fresh
        case .failure: .failure
        case .failing: .failing
        case .recovered: .recovered
        case .finding: .finding
        case .found: .found
        case .plan: .plan
        case .end: .end
        }
    }

    /// The number or the rule that was asked for; `nil` for a kind without one.
    package var value: NoticeTrigger.Value? {
        switch content {
        case .arrival(_, let minutes), .pickup(_, let minutes), .dropoff(_, let minutes), .late(_, let minutes):
            .number(minutes)
        case .stops(_, let most): .number(most)
        case .failing(_, _, let seconds): .number(seconds)
        case .found(let finding): .rule(finding.rule)
        case .status, .window, .stale, .fresh, .failure, .recovered, .finding, .plan, .end: nil
        }
    }

    /// The trigger that asks for it, as it is written on the command line.
    package var name: String { NoticeTrigger(kind, value).name }
}
