import DequeModule
import Foundation
import TripModel

/// How often the driver of a trip reports the position, as far as polls can see it.
///
/// A report that was replaced between two polls is unknown. So the time between two known reports is at least the interval of
/// the reports, and only the part of it after which an answer still had the older report is certainly without one.
struct ReportRate: Sendable, Equatable {
    private struct Gap: Sendable, Equatable {
        /// The time between two known reports, in seconds.
        var seen: Double
        /// The part of it that had no report, in seconds.
        var certain: Double
    }

    /// The number of gaps that are judged.
    static let count = 8

    private var gaps: Deque<Gap> = []

    /// The median of the times that certainly had no report, in seconds; `nil` before ``count`` of them.
    var longMedian: Double? { median(\.certain) }

    /// The median of the times between known reports, in seconds; `nil` before ``count`` of them.
    var shortMedian: Double? { median(\.seen) }

    /// Records an answer.
    mutating func record(_ step: AnswerStep) {
        // Newer positions may be behind a cache. Waiting vehicles and vehicles with shipments may report less often.
        guard step.journey.trip != nil, step.isUnderWay, step.after.cache == nil,
            step.old?.vehicleID == step.journey.vehicleID,
            let before = step.before, let answered = before.lastAnswer
        else {
            gaps = []
            return
        }
        guard let last = step.previousPosition?.serverTime, let now = step.position?.serverTime, now > last else {
            return
        }
        let certain = min(before.serviceTime(answered), now).timeIntervalSince(last)
        gaps.append(Gap(seen: now.timeIntervalSince(last), certain: max(0, certain)))
        if gaps.count > Self.count { gaps.removeFirst() }
    }

    private func median(_ value: (Gap) -> Double) -> Double? {
        guard gaps.count == Self.count else { return nil }
        let sorted = gaps.map(value).sorted()
        return (sorted[(Self.count - 1) / 2] + sorted[Self.count / 2]) / 2
    }
}
