import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// Decides which arrivals are told to a listener: those that differ by more than a minute from what was told last, and notable
/// estimates.
///
/// An estimate is notable only if it changes by a share of the remaining time, too, and is compared with the last notable one,
/// which need not have been told.
struct SpokenArrivals {
    /// The shift in seconds above which an arrival is told again.
    private static let shift = 60.0

    private var told: [JourneyID: [Arrivals.Place: Date]] = [:]

    /// Returns the changes with those of arrivals that must be told, too, and without those that were told already.
    mutating func completed(_ changes: [JourneyChange]) -> [JourneyChange] {
        let hasStatus = changes.contains(where: \.isStatus)
        return changes.flatMap { change -> [JourneyChange] in
            switch change.kind {
            case .estimate(let arrival, let before): return estimate(arrival, since: before, change)
            case .answered(let state, _): return [change] + shifts(of: Arrivals(of: state), hasStatus, change)
            case .ended:
                told[change.journey] = nil
                return [change]
            default: return [change]
            }
        }
    }

    /// Returns a notable estimate, compared with what was told last.
    private mutating func estimate(
        _ arrival: Arrivals.Arrival,
        since before: Date,
        _ change: JourneyChange
    ) -> [JourneyChange] {
        let before = told[change.journey]?[arrival.place] ?? before
        guard let time = arrival.expected, abs(time.timeIntervalSince(before)) >= JourneyFacts.notableShift else {
            return []
        }
        note(arrival, of: change.journey)
        return [change.with(.estimate(arrival, before: before))]
    }

    /// Returns the arrivals of an answer that differ by more than a minute; its status is told with the next arrival.
    private mutating func shifts(
        of arrivals: Arrivals,
        _ hasStatus: Bool,
        _ change: JourneyChange
    ) -> [JourneyChange] {
        arrivals.all.compactMap { arrival in
            guard let time = arrival.expected else { return nil }
            let isTold = hasStatus && arrival.place == arrivals.next?.place
            guard let before = told[change.journey]?[arrival.place], !isTold else {
                note(arrival, of: change.journey)
                return nil
            }
            guard abs(time.timeIntervalSince(before)) > Self.shift else { return nil }
            note(arrival, of: change.journey)
            return change.with(.estimate(arrival, before: before))
        }
    }

    /// Records that the arrivals of a state were told.
    mutating func told(_ state: TripState) {
        for arrival in Arrivals(of: state).all { note(arrival, of: state.id) }
    }

    private mutating func note(_ arrival: Arrivals.Arrival, of journey: JourneyID) {
        if let time = arrival.expected { told[journey, default: [:]][arrival.place] = time }
    }
}

extension JourneyChange {
    /// Returns a change of another kind by the same event.
    fileprivate func with(_ kind: Kind) -> JourneyChange { JourneyChange(journey: journey, stamp: stamp, kind: kind) }

    /// Whether the message about it has the next arrival.
    fileprivate var isStatus: Bool {
        switch kind {
        case .status, .tour: true
        default: false
        }
    }
}
