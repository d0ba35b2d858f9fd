package import Failures
package import TripModel

/// A report of the driver of a followed trip, in a demo.
package struct RecordedDriver: Sendable, Equatable, Codable {
    /// The trip.
    package var trip: String
    /// The call, without its subject, which is ``trip``, and without its failure, which is ``failure``.
    package var call: Call
    /// Why it failed; `nil` if it succeeded.
    package var failure: Failure?

    /// Converts a call.
    package init(journey: JourneyID, _ call: Call) {
        (self.trip, self.call, failure) = (journey.name, call, call.failure)
        self.call.subject = ""
        self.call.failure = nil
    }
}
