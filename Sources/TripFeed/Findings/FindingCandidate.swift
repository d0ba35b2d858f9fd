import Foundation
import TripModel

/// A finding of one step, without a time and a trip.
struct FindingCandidate: Equatable {
    let rule: FindingRule
    let severity: Finding.Severity
    let evidence: [Evidence]
    /// Whether it is a state that lasts until it is no longer detected; otherwise it is an event.
    let isLasting: Bool

    /// Creates an event.
    static func event(_ rule: FindingRule, _ severity: Finding.Severity, _ evidence: Evidence...) -> FindingCandidate {
        FindingCandidate(rule: rule, severity: severity, evidence: evidence, isLasting: false)
    }

    /// Creates a lasting state.
    static func lasting(_ rule: FindingRule, _ severity: Finding.Severity, _ evidence: Evidence...) -> FindingCandidate
    {
        FindingCandidate(rule: rule, severity: severity, evidence: evidence, isLasting: true)
    }
}

/// Two successive answers about one trip: the input of the rules.
struct AnswerStep {
    /// The state before the answer; `nil` before the first answer.
    let before: TripState?
    /// The state after the answer.
    let after: TripState
    /// The answer before it was merged.
    let answer: Trip
    /// The trip after the answer was merged.
    let trip: Trip
    /// The service's time of the answer.
    let time: Date
    /// The time since the previous answer in seconds; 0 for the first answer.
    let elapsed: Double
    /// The requested project.
    let provider: ProviderID
    /// Fields that the source never provides, such as those missing in a log format; their absence is not a finding.
    let absent: Set<TripField>
    let limits: FindingLimits

    /// The trip before the answer.
    var old: Trip? { before?.trip }

    /// Whether the vehicle is driving to one of the trip's stops.
    var isUnderWay: Bool {
        switch trip.status {
        case .enrouteToPickup, .enrouteToIntermediateDestination, .enrouteToDropoff: true
        case .new, .arrivedAtPickup, .arrivedAtIntermediateDestination, .complete, .canceled, .unrecognized: false
        }
    }

    /// Whether a vehicle should be serving the trip: from ENROUTE_TO_PICKUP to ENROUTE_TO_DROPOFF.
    var isServed: Bool { trip.status.rank.map { (1...4).contains($0) } ?? false }

    /// The previous trip, if status, vehicle and next waypoint are unchanged.
    ///
    /// Times and distances refer to the next waypoint, so they are comparable only then.
    var comparable: Trip? {
        guard let old, !trip.status.isTerminal, old.status == trip.status, old.vehicleID == trip.vehicleID else {
            return nil
        }
        let (was, now) = (old.remainingWaypoints.first, trip.remainingWaypoints.first)
        return was?.kind == now?.kind && was?.tripID == now?.tripID ? old : nil
    }
}
