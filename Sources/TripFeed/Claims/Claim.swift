package import Foundation
package import TripModel

/// What may be said about a journey at a time, and the evidence for it.
///
/// A claim about the vehicle needs an answer about the vehicle: that a time has passed on the clock, or that answers are missing,
/// supports only ``Kind/noReport(for:missed:)``.
package struct Claim: Sendable, Equatable {
    /// An arrival at a stop, and the time at which it was expected.
    package struct Missed: Sendable, Equatable {
        /// The stop.
        package let arrival: Arrivals.Arrival
        /// The expected time, which has passed.
        package let expected: Date
    }

    /// What is claimed.
    package enum Kind: Sendable, Equatable {
        /// The vehicle is expected at a stop.
        ///
        /// Needs an answer with an estimate that has not passed. Ends at that time, and with the next answer.
        case expected(Arrivals.Arrival, at: Date, left: Duration)
        /// The service says of a time after the expected one that the stop is still ahead; counted to that time.
        ///
        /// Needs an answer that was created after the expected time and, if it has a position, a report of the vehicle after
        /// that time. Ends with the next answer, and when the news is too old.
        case overdue(Arrivals.Arrival, expected: Date, by: Duration)
        /// The expected time of an arrival has passed, and answers do not show whether the vehicle has arrived.
        ///
        /// Needs an answer that was created after the expected time and hides from the recipient of a shipment what would decide
        /// it. Ends with the next answer, and when the news is too old.
        case notShown(Arrivals.Arrival, expected: Date)
        /// Nothing is known of the vehicle since a duration, in which the arrival at a stop may have been expected.
        ///
        /// Needs an answer that is older than the expected time, or than the age at which news is old. Ends with news.
        case noReport(for: Duration, missed: Missed?)
        /// The vehicle is at a stop.
        ///
        /// Needs an answer that says so. Ends with an answer that does not.
        case atStop(Arrivals.Arrival, since: Date)
        /// The vehicle has arrived at the end, by `delay` later than first estimated; earlier if negative.
        ///
        /// Needs an answer that says so. The delay also needs an estimate from before and a known time of the arrival; it is
        /// `nil` without them. After an outage, the first answer shows only the latest possible time: `nil` unless that is
        /// early. Never ends.
        case reached(Arrivals.Arrival, at: Date, delay: Duration?)
        /// The journey is over; it may have no arrival, as after a cancellation.
        ///
        /// Needs an answer with a status that is the last one. Never ends.
        case ended(JourneyStatus)
    }

    /// How sure a claim is.
    package enum Strength: String, Sendable, Hashable {
        /// An answer says so.
        case reported
        /// It is an estimate of the service.
        case estimated
        /// It is an estimate of the service, and there has been no news for long.
        case estimatedLongAgo
    }

    /// What is claimed.
    package let kind: Kind
    /// The events that support it; empty if the events of the session are not numbered.
    package let evidence: [EventNumber]
    /// The time of what it says, by the service's clock.
    package let asOf: Date
    /// When it ends without another event, by the service's clock; `nil` if it does not.
    package let until: Date?
    /// How sure it is.
    package let strength: Strength

    /// The stop that it is about; `nil` if it is about none.
    package var arrival: Arrivals.Arrival? {
        switch kind {
        case .expected(let arrival, _, _), .overdue(let arrival, _, _), .notShown(let arrival, _),
            .atStop(let arrival, _), .reached(let arrival, _, _):
            arrival
        case .noReport(_, let missed): missed?.arrival
        case .ended: nil
        }
    }

    /// Whether there has been no news for too long to compare an estimate with another one.
    package var isOld: Bool {
        if case .noReport = kind { true } else { strength == .estimatedLongAgo }
    }

    /// Whether it is about the time of an arrival that is not known to have happened.
    package var isOfOpenArrival: Bool {
        switch kind {
        case .expected, .overdue, .notShown, .noReport(_, .some): true
        case .noReport(_, nil), .atStop, .reached, .ended: false
        }
    }
}
