package import Failures
package import Runtime
package import TripModel

/// A command for the polls of a journey.
package enum FeedCommand: Sendable, Equatable {
    /// Stop automatic polls.
    case pause
    /// Resume automatic polls.
    case resume
    /// Poll once, as soon as the service permits it.
    case pollNow
    /// Change the interval.
    case setInterval(Duration)
}

/// An event of a followed trip.
package enum FeedEvent: Sendable {
    /// A request was sent.
    case polling(JourneyID, PollSchedule)
    /// A poll is complete: its report, the new state and the next schedule.
    indirect case polled(PollReport, TripState, PollSchedule)
    /// The poll that is reported next produced findings; at least one, the most severe first.
    case found(JourneyID, [Finding])
    /// The number of polls that were dropped because the reader was slow.
    case omitted(JourneyID, EventOmission)
    /// A command or the budget changed the schedule.
    case scheduled(JourneyID, PollSchedule)
    /// The driver of the trip has called the service, in a demo.
    case driver(JourneyID, Call)
    /// The trip is no longer followed.
    case ended(JourneyID, FeedEnd)
}

/// How following a trip ended.
package enum FeedEnd: Sendable, Equatable {
    /// The trip has ended.
    case reached(JourneyStatus)
    /// Further polls would not help.
    case failed(Failure)
    /// The trip was removed from the feed.
    case left
}
