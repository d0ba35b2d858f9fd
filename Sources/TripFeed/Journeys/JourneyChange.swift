package import Failures
package import FleetTokens
package import Foundation
package import Runtime
package import TripModel

/// What an event has made different on a journey.
package struct JourneyChange: Sendable {
    /// What became different.
    package enum Kind: Sendable {
        /// The journey is polled from now on.
        case began
        /// A poll is complete, which had been planned for this time of the steady clock.
        case polled(planned: Duration?)
        /// Polls begin to fail, or fail for another reason; `before` is the failure of the poll before.
        indirect case failure(Failure, before: Failure?)
        /// A poll was answered after a number of failures; `hadAnswer` is whether one was answered before them.
        indirect case recovery(from: Failure, count: Int, hadAnswer: Bool)
        /// A poll was answered: the state after this answer, and the state after the previous answer.
        indirect case answered(TripState, before: TripState?)
        /// The status; `before` is `nil` for the first one.
        case status(JourneyStatus, before: JourneyStatus?)
        /// The way of the vehicle without a new status: a vehicle was assigned, or the tour of a shipment went on.
        case tour
        /// Another vehicle serves the journey.
        case vehicle(VehicleID, before: VehicleID)
        /// Parts of the plan, in the order of ``TripField``.
        case plan([TripField])
        /// The estimate of an arrival differs notably from the last notable estimate.
        case estimate(Arrivals.Arrival, before: Date)
        /// The vehicle is on its way to the next own stop.
        case approach(Approach)
        /// Which clock is wrong.
        case clocks(ClockVerdict)
        /// Why the position of the vehicle is stale: there is another reason than before, or none any more.
        case positionAge(PositionAge?, before: PositionAge.Reason?)
        /// The vehicle has reported after answers had shown that it was silent, this long after its last report; an outage of
        /// the polls is no silence.
        case reportsAgain(after: Duration)
        /// The interval, or whether polls are paused.
        case schedule(PollSchedule, before: PollSchedule?)
        /// Rules have found something.
        case findings([Finding])
        /// Polls were dropped before they were read.
        case omission(EventOmission)
        /// The token; what was known about it before.
        indirect case token(TokenEvent, before: TokenFacts)
        /// The journey is no longer followed.
        indirect case ended(FeedEnd)
    }

    /// The journey.
    package let journey: JourneyID
    /// The event that made it different.
    package let stamp: EventStamp
    /// What became different.
    package let kind: Kind

    /// When the event was received.
    package var at: Moment { stamp.received }
}

/// How near a vehicle is to the next own stop, and how late.
package struct Approach: Sendable {
    /// What was known at an answer.
    package struct Reached: Sendable, Equatable {
        /// The shortest time until the arrival so far, in seconds.
        var left: TimeInterval
        /// The last known delay in seconds; `nil` if none was known.
        var delay: TimeInterval?
    }

    /// The stop.
    package let arrival: Arrivals.Arrival
    /// The time until the arrival in seconds.
    let left: TimeInterval
    /// What was known before; `nil` before the first estimate.
    let before: Reached?

    /// Returns whether the vehicle comes within some minutes of the stop for the first time.
    package func comesWithin(minutes: Double) -> Bool {
        left <= minutes * 60 && before.map { $0.left > minutes * 60 } ?? true
    }

    /// Returns whether the vehicle becomes late by some minutes; it may have been before it caught up.
    package func becomesLate(minutes: Double) -> Bool {
        guard let delay = arrival.delay?.seconds, delay >= minutes * 60 else { return false }
        return before?.delay.map { $0 < minutes * 60 } ?? true
    }

    /// What is known after it.
    var reached: Reached {
        Reached(left: min(left, before?.left ?? .infinity), delay: arrival.delay?.seconds ?? before?.delay)
    }
}
