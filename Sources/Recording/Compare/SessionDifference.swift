package import TripModel

/// One difference between two sessions, A and B; times are in seconds since the start of each session.
package struct SessionDifference: Sendable, Equatable {
    /// A part of a trip whose end is predicted.
    package enum Place: String, Sendable, CaseIterable {
        case pickup, dropoff
        /// The next stop, if its ETA differs from the ETAs of pickup and drop-off.
        case nextStop
        /// One of the remaining waypoints, if its ETA differs from the ETAs of the places above.
        case stop
        /// The begin and the end of the promised time window of a shipment.
        case windowStart, windowEnd

        /// The field of the trip.
        package var field: TripField {
            switch self {
            case .pickup: .pickupTime
            case .dropoff: .dropoffTime
            case .nextStop: .etaToFirstWaypoint
            case .stop: .remainingWaypoints
            case .windowStart, .windowEnd: .targetTimeWindow
            }
        }
    }

    /// A measure of the vehicle that a position contains.
    package enum Measure: String, Sendable, CaseIterable {
        /// In meters per second.
        case speed
        /// In degrees clockwise from north.
        case heading

        /// The name, with the field of the trip.
        package var name: String { "\(TripField.lastLocation.rawValue).\(rawValue)" }
    }

    /// What differs.
    package enum Kind: Sendable, Equatable {
        /// Only one session has the trip.
        case missingTrip(inA: Bool, inB: Bool)
        /// The first time of a status; `nil` if it does not appear.
        case status(JourneyStatus, a: Double?, b: Double?)
        /// The order in which statuses appear.
        case order(a: [JourneyStatus], b: [JourneyStatus])
        /// The greatest difference of a predicted arrival, and when it was.
        case arrival(Place, at: Double, a: Double, b: Double)
        /// One session has no prediction at all.
        case missingArrival(Place, inA: Bool, inB: Bool)
        /// The values of a field in order of appearance; empty if the session has none.
        case values(TripField, a: [String], b: [String])
        /// The greatest difference of a position or of a distance, and when it was.
        case distance(TripField, at: Double, meters: Double)
        /// The greatest difference of a measure of the vehicle, and when it was.
        case measure(Measure, at: Double, a: Double, b: Double)
        /// One session has no values of a measure at all.
        case missingMeasure(Measure, inA: Bool, inB: Bool)
        /// The number of polls.
        case polls(a: Int, b: Int)
        /// The number of failed polls with a code.
        case errors(code: String, a: Int, b: Int)
        /// The number of findings of a rule.
        case findings(rule: String, a: Int, b: Int)
    }

    /// The journey; A's journey if the sessions have different journeys.
    package var journey: JourneyID
    /// The corresponding trip of B if its ID differs.
    package var otherTrip: JourneyID?
    /// What differs.
    package var kind: Kind
}
