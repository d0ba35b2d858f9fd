import Failures
package import FleetTokens
package import Foundation
package import Runtime
import TripFeed
import TripModel

/// The poll statistics of one trip, with the latest latencies.
package struct PollStatistics: Sendable {
    /// A poll.
    package struct Entry: Sendable, Equatable {
        /// The latency of the request; `nil` if none was sent.
        package var latency: Duration?
        /// Whether it returned the trip.
        package var isGood: Bool
    }

    /// A failure that occurred one or more times.
    package struct Fault: Sendable, Equatable {
        /// The latest occurrence.
        package var poll: FailedPoll
        /// The status of the latest answer; `nil` if there was none.
        package var status: AnswerStatus?
        /// The number of occurrences.
        package var count: Int
        /// The time of the latest occurrence, by the local clock.
        package var last: Date
    }

    /// The latest polls, oldest first, at most ``maximumCount``.
    package private(set) var entries: SharedArray<Entry> = []
    /// The number of all polls, without those that an injected fault prevented from being sent.
    package private(set) var polls = 0
    /// The number of polls that an injected fault prevented from being sent.
    package private(set) var heldBack = 0
    /// The number of failed polls.
    package private(set) var errors = 0
    /// The total size of all bodies in bytes.
    package private(set) var bytes = 0
    /// The number of answers by status.
    package private(set) var statuses: [AnswerStatus: Int] = [:]
    /// The number of polls dropped because the screen was slow.
    package private(set) var omitted = 0
    /// The failures by ``Failures/Failure/nameInJSON``, failures by injected faults by the faults' names, too; at most ``maximumFaults``.
    package private(set) var faults: [String: Fault] = [:]

    static let maximumCount = 300
    static let maximumFaults = 32

    /// Records a completed poll; `failed` is `nil` if it succeeded.
    mutating func add(_ report: PollReport, _ failed: FailedPoll?) {
        let isHeldBack = failed?.failure.isHeldBack ?? false
        if isHeldBack {
            heldBack += 1
        } else {
            polls += 1
            bytes += report.answer?.bytes ?? 0
            if let status = report.status { statuses[status, default: 0] += 1 }
        }
        if let failed {
            let failure = failed.failure
            if !isHeldBack { errors += 1 }
            let code = failure.nameInJSON + (failure.injected.map { " (injected: \($0.name))" } ?? "")
            if faults[code] != nil || faults.count < Self.maximumFaults {
                let count = (faults[code]?.count ?? 0) + 1
                faults[code] = Fault(
                    poll: failed,
                    status: report.status,
                    count: count,
                    last: report.finished.wall
                )
            }
        }
        entries.append(
            Entry(latency: report.serviceLatency, isGood: report.failure == nil)
        )
        if entries.count > Self.maximumCount { entries.removeFirst() }
    }

    /// Records polls when only their number is known.
    package mutating func add(_ omission: EventOmission) {
        polls += omission.total
        errors += omission.failureCount
        omitted += omission.total
        for (code, count) in omission.failures { faults[code]?.count += count }
    }

    private var sorted: [Duration] { entries.compactMap(\.latency).sorted() }

    /// The median latency of the latest polls; `nil` before the first.
    package var median: Duration? { percentile(0.5) }

    /// Returns the latency quantile of the latest polls; `nil` before the first.
    package func percentile(_ share: Double) -> Duration? {
        let sorted = sorted
        return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    /// The maximum latency of the latest polls; `nil` before the first.
    package var maximum: Duration? { entries.compactMap(\.latency).max() }
}
