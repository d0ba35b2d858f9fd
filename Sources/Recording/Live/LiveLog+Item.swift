package import Failures
package import Foundation
package import Runtime
package import TripFeed
package import TripModel

extension LiveLog {
    /// The effect of one entry on one trip.
    package struct Step: Sendable {
        /// When the service received the call.
        package var time: Date { moment.wall }
        /// When the service received the call, also by the steady clock: the time of the events.
        package var moment: Moment
        /// The side that called.
        package var side: TripSide
        /// The last values of each side after the call; of a shipment, there is only the time of the recipient's last call.
        package var sides: TripSides
        /// Whether the service refused the call.
        package var isRefused: Bool
        /// The differences that the call has caused.
        package var began: [SideDifference] = []
        /// The differences that it has removed.
        package var ended: [SideDifference.Kind] = []
        /// The state of the trip after the call, as a poll would return it; empty if the call was refused.
        package var events: [FeedEvent] = []
    }

    /// A part of the log.
    package enum Item: Sendable {
        /// An entry about a trip.
        case step(Step)
        /// What was found in the state of a trip that has held until an entry or the end of the log.
        case found(JourneyID, [Finding], at: Moment)
        /// A call of a rider or a recipient, with the answer of the service if it refused it; the step of the same entry follows.
        case riderCall(JourneyID, refused: ServiceAnswer?, at: Moment)
        /// A line that is no JSON object, by its number.
        case invalid(line: Int)
        /// A trip that is not followed, because there are ``LiveLog/maximumTrips`` active ones.
        case tooManyTrips
    }
}
