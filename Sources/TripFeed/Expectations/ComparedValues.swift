import Foundation
import Runtime
import TripModel

/// For each comparison of one expectation, the seen value that came closest to another decision.
struct ComparedValues: Sendable {
    private var extremes: [ExpectationResult.Evidence?]

    /// Creates the value before the first poll, for a number of comparisons.
    init(count: Int) { extremes = Array(repeating: nil, count: count) }

    /// The values in the order of the comparisons, without those that were never known.
    var evidence: [ExpectationResult.Evidence] { extremes.compactMap(\.self) }

    /// Records the values of a poll; `isForbidden` is whether the conditions must not hold.
    mutating func add(
        _ conditions: ExpectedConditions,
        _ observation: TripObservation,
        at now: Moment,
        isForbidden: Bool
    ) {
        for (index, check) in conditions.checks.enumerated() {
            guard let new = Self.evidence(of: check, observation, at: now) else { continue }
            if let old = extremes[index] {
                let isWorse =
                    isForbidden ? check.isWorse(old.value, than: new.value) : check.isWorse(new.value, than: old.value)
                guard isWorse else { continue }
            }
            extremes[index] = new
        }
    }

    /// Returns the value of a comparison now; `nil` if it is unknown or hidden by an outage.
    static func evidence(
        of check: MeasureCheck,
        _ observation: TripObservation,
        at now: Moment
    ) -> ExpectationResult.Evidence? {
        guard !observation.isHidden(check) else { return nil }
        return observation.value(of: check, at: now).map {
            ExpectationResult.Evidence(check: check, value: $0, poll: observation.polls, time: now.wall)
        }
    }
}
