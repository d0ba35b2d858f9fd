import Foundation
import Runtime
import TripModel

extension MeasureCheck {
    /// What the compared value is measured in.
    var source: MeasureForm.Source { MeasureForm.all.first { $0.id == measure }?.source ?? .answer }
}

extension ExpectedConditions {
    /// What must be seen to know whether they hold.
    var sources: Set<MeasureForm.Source> {
        var sources = Set(checks.map(\.source))
        if isFailing != nil { sources.insert(.calls) }
        // A condition without anything is about the trip, too.
        if !statuses.isEmpty || reached != nil || !order.isEmpty || finding != nil || sources.isEmpty {
            sources.insert(.answer)
        }
        return sources
    }
}

extension UnmetCondition {
    /// What must be seen to know whether it holds.
    var source: MeasureForm.Source {
        switch self {
        case .unknownTrip, .noAnswer, .status, .notReached, .order, .finding: .answer
        case .failing, .noCalls: .calls
        case .check(let check, _): check.source
        }
    }
}

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

/// The distribution of latencies in bounded memory; a percentile is exact to 1 percent.
struct LatencyRecord: Sendable {
    /// The number of latencies in each class; the classes grow by 1 percent.
    private var classes: [Int: Int] = [:]
    private var count = 0
    /// The largest latency in seconds; `nil` before the first.
    private(set) var largest: Double?
    /// The last latency in seconds; `nil` before the first.
    private(set) var last: Double?

    private static let growth = log(1.01)
    /// The smallest latency in seconds that has a class of its own.
    private static let least = 0.000_1

    /// Adds a latency in seconds.
    mutating func add(_ seconds: Double) {
        last = seconds
        largest = max(largest ?? 0, seconds)
        count += 1
        classes[Int(log(max(seconds, Self.least) / Self.least) / Self.growth), default: 0] += 1
    }

    /// Returns the latency in seconds that a part of the calls did not exceed; `nil` before the first.
    func percentile(_ part: Double) -> Double? {
        guard let largest else { return nil }
        var rest = Int((Double(count) * part).rounded(.up))
        for (number, calls) in classes.sorted(by: { $0.key < $1.key }) {
            rest -= calls
            guard rest <= 0 else { continue }
            // The upper end of the class, so that rounding alone never makes a latency meet a limit.
            return min(largest, Self.least * exp(Double(number + 1) * Self.growth))
        }
        return largest
    }
}
