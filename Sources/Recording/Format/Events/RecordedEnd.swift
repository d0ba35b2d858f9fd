package import Failures
package import Runtime
package import TripFeed
import TripModel

/// How following a trip ended.
package struct RecordedEnd: Sendable, Equatable, Codable {
    /// How it ended.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The trip has ended with ``RecordedEnd/status``.
        case reached
        /// Further polls would not help, because of ``RecordedEnd/failure``.
        case failed
        /// The trip was removed.
        case left
    }

    /// The trip.
    package var trip: String
    /// How it ended.
    package var kind: Kind
    /// The last status.
    package var status: String?
    /// The last failure.
    package var failure: Failure?

    /// Converts an end.
    package init(trip: String, _ end: FeedEnd) {
        self.trip = trip
        switch end {
        case .reached(let status): (kind, self.status) = (.reached, status.name)
        case .failed(let failure): (kind, self.failure) = (.failed, failure)
        case .left: kind = .left
        }
    }
}

/// Outcomes that are not in the recording, because the program was too slow.
package struct RecordedOmission: Sendable, Equatable, Codable {
    /// The trip or the vehicle.
    package var subject: RecordedSubject
    /// `poll` or `token`.
    package var of: String
    /// The number of successes.
    package var successes: Int
    /// The number of failures by code.
    package var failures: [String: Int]

    /// Converts an omission.
    package init(of kind: String, _ subject: RecordedSubject, _ omission: EventOmission) {
        of = kind
        self.subject = subject
        (successes, failures) = (omission.successes, omission.failures)
    }

    /// The omission.
    package var omission: EventOmission { EventOmission(successes: successes, failures: failures) }
}
