import Foundation
import TripModel

/// What a rule says about one step: a finding that has neither a time nor a trip yet.
struct FindingCandidate: Equatable {
    let rule: FindingRule
    let severity: Finding.Severity
    let evidence: [Evidence]
    /// Whether it is a state that lasts until it is no longer seen; else it is something that happened.
    let isLasting: Bool

    /// Something that happened.
    static func event(_ rule: FindingRule, _ severity: Finding.Severity, _ evidence: Evidence...) -> FindingCandidate {
        FindingCandidate(rule: rule, severity: severity, evidence: evidence, isLasting: false)
    }

    /// A state that lasts.
    static func lasting(_ rule: FindingRule, _ severity: Finding.Severity, _ evidence: Evidence...) -> FindingCandidate
    {
        FindingCandidate(rule: rule, severity: severity, evidence: evidence, isLasting: true)
    }
}

/// Two answers in a row about one trip, as the rules look at them.
struct AnswerStep {
    /// What was known before; `nil` before the first answer.
    let before: TripState?
    /// What is known now.
    let after: TripState
    /// The answer itself, before it was merged.
    let answer: Trip
    /// What is known now, as a trip.
    let trip: Trip
    /// The service's time of the answer.
    let time: Date
    /// The time since the answer before, in seconds; 0 for the first.
    let elapsed: Double
    /// The project that was asked for.
    let provider: ProviderID
    /// What the source of the answers never has, such as a format of logs that lacks a field: no fault of the trip.
    let absent: Set<TripField>
    let limits: FindingLimits

    /// What was known before, as a trip.
    var old: Trip? { before?.trip }

    /// Whether the vehicle drives to one of the trip's places.
    var isUnderWay: Bool {
        switch trip.status {
        case .enrouteToPickup, .enrouteToIntermediateDestination, .enrouteToDropoff: true
        case .new, .arrivedAtPickup, .arrivedAtIntermediateDestination, .complete, .canceled, .unrecognized: false
        }
    }

    /// Whether a vehicle should be at work for the trip: from the way to the pickup to the way to the drop-off.
    var isServed: Bool { trip.status.rank.map { (1...4).contains($0) } ?? false }

    /// The answer before, where status, vehicle and next waypoint are still the same.
    ///
    /// Times and distances refer to the next waypoint, so that they can be compared only then.
    var comparable: Trip? {
        guard let old, !trip.status.isTerminal, old.status == trip.status, old.vehicleID == trip.vehicleID else {
            return nil
        }
        let (was, now) = (old.remainingWaypoints.first, trip.remainingWaypoints.first)
        return was?.kind == now?.kind && was?.tripID == now?.tripID ? old : nil
    }
}
