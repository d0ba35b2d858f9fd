import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripModel

extension JourneyFacts {
    mutating func applyAge(
        of state: TripState,
        _ schedule: PollSchedule,
        _ stamp: EventStamp
    ) -> [JourneyChange.Kind] {
        let age = PositionAge(state: state, schedule: schedule, at: stamp.received)
        let before = staleness?.value
        guard age?.reason != before else { return [] }
        staleness = age?.reason.map { Fact($0, stamp) }
        return [.positionAge(age, before: before)]
    }

    /// Records that an answer shows a silent vehicle, or the first report after its silence.
    mutating func applySilence(
        of state: TripState,
        _ schedule: PollSchedule,
        _ stamp: EventStamp
    ) -> [JourneyChange.Kind] {
        if state.journey?.vehicleID != answer?.value.journey?.vehicleID { silentSince = nil }
        guard let location = state.journey?.lastLocation, let report = location.serverTime ?? location.measuredTime,
            let age = PositionAge(state: state, schedule: schedule, at: stamp.received)
        else { return [] }
        if age.reason == .driverSilent {
            silentSince = report
        } else if let last = silentSince, report > last, !age.isOld {
            silentSince = nil
            return [.reportsAgain(after: .seconds(report.timeIntervalSince(last)))]
        }
        return []
    }

    /// Records the notable estimates; with a new status, which is announced with the estimate, all of them.
    mutating func applyEstimates(
        of arrivals: [Arrivals.Arrival],
        isAnnounced: Bool,
        at now: Date
    ) -> [JourneyChange.Kind] {
        var changes: [JourneyChange.Kind] = []
        if !isAnnounced {
            for arrival in arrivals {
                guard let time = arrival.expected, let before = estimates[arrival.place] else { continue }
                let left = before.timeIntervalSince(now)
                guard abs(time.timeIntervalSince(before)) >= max(Self.notableShift, left * Self.notableShare) else {
                    continue
                }
                changes.append(.estimate(arrival, before: before))
            }
        }
        for arrival in arrivals where isAnnounced || !changes.isEmpty || estimates[arrival.place] == nil {
            estimates[arrival.place] = arrival.expected
        }
        return changes
    }

    mutating func applyApproach(
        to next: Arrivals.Arrival?,
        of state: TripState,
        at now: Moment
    ) -> [JourneyChange.Kind] {
        guard let next, next.here == nil, next.done == nil, let time = next.expected else {
            return []
        }
        let left = time.timeIntervalSince(state.serviceTime(now))
        let approach = Approach(arrival: next, left: left, before: reached[next.place])
        reached[next.place] = approach.reached
        return [.approach(approach)]
    }
}
