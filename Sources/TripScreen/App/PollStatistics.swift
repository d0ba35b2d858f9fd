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

/// The total size of all stored answer bodies of a screen, in order of arrival.
struct BodyLedger: Sendable {
    /// The maximum total size in bytes; above it, the oldest bodies are dropped.
    static let largest = 8 << 20

    /// A stored body: its trip and its number.
    struct Item: Sendable, Equatable {
        let journey: JourneyID
        let number: Int
    }

    /// The bodies in order of arrival; removed ones stay in the list until they are the oldest.
    private var items: [Item] = []
    private var first = 0
    private var sizes: [Int: Int] = [:]
    private var last = 0
    /// The total size of all stored bodies.
    private(set) var bytes = 0
    /// The approximate number of bytes of the ledger itself.
    var bytesOfItems: Int { items.count * MemoryLayout<Item>.stride + sizes.count * 32 }

    /// Records a body.
    ///
    /// - Returns: Its number.
    mutating func add(_ size: Int, of journey: JourneyID) -> Int {
        last += 1
        items.append(Item(journey: journey, number: last))
        sizes[last] = size
        bytes += size
        if items.count > 2 * sizes.count + 4 {
            items = items[first...].filter { sizes[$0.number] != nil }
            first = 0
        }
        return last
    }

    /// Records the removal of a body.
    mutating func remove(_ number: Int) {
        bytes -= sizes.removeValue(forKey: number) ?? 0
    }

    /// Removes and returns the oldest body while the total exceeds the limit.
    mutating func popExcess() -> Item? {
        guard bytes > Self.largest else { return nil }
        while first < items.count {
            let item = items[first]
            first += 1
            guard sizes[item.number] != nil else { continue }
            remove(item.number)
            return item
        }
        return nil
    }
}
