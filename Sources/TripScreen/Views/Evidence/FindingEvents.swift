import Foundation
import Runtime
import TripFeed

/// The events that support a finding.
struct FindingEvents: Sendable, Equatable {
    /// A complete poll.
    struct Poll: Sendable, Equatable {
        /// The event.
        let stamp: EventStamp
        /// When it was complete, in the service's time, like the times of the findings about it.
        let time: Date

        /// The longest difference in seconds between two equal times if one was read from a recording.
        private static let tolerance = 0.01

        /// Returns the event if findings of a time are about this poll.
        func stamp(at time: Date) -> EventStamp? {
            abs(time.timeIntervalSince(self.time)) < Self.tolerance ? stamp : nil
        }
    }

    /// When the program found it.
    let detection: EventStamp
    /// The poll that it is about; `nil` if that is not known.
    var poll: EventStamp?
}
