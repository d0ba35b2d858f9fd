package import FleetTokens
package import Foundation
package import TripFeed
import TripModel

/// The polls of one trip, the last ones with their latencies.
package struct PollHistory: Sendable {
    /// One poll.
    package struct Entry: Sendable, Equatable {
        /// How long the request took; `nil` where none was sent.
        package var latency: Duration?
        /// Whether it brought the trip.
        package var isGood: Bool
    }

    /// What went wrong in the same way, once or more.
    package struct Fault: Sendable, Equatable {
        /// The last one.
        package var failure: PollFailure
        /// How often.
        package var count: Int
        /// When it last happened, by our clock.
        package var last: Date
    }

    /// The last polls, oldest first, at most ``longest``.
    package private(set) var entries: [Entry] = []
    /// All polls so far.
    package private(set) var polls = 0
    /// Those that failed.
    package private(set) var errors = 0
    /// The bytes of all bodies.
    package private(set) var bytes = 0
    /// How often each HTTP status came.
    package private(set) var statuses: [Int: Int] = [:]
    /// Polls of which this screen, when it was slow, heard no more than their number.
    package private(set) var omitted = 0
    /// What went wrong, by ``PollFailure/code``, at most ``mostFaults`` kinds.
    package private(set) var faults: [String: Fault] = [:]

    static let longest = 300
    static let mostFaults = 32

    /// Takes in a poll that is over.
    package mutating func add(_ report: PollReport) {
        polls += 1
        bytes += report.bytes ?? 0
        if let status = report.httpStatus { statuses[status, default: 0] += 1 }
        if let failure = report.failure {
            errors += 1
            let code = failure.code
            if faults[code] != nil || faults.count < Self.mostFaults {
                let count = (faults[code]?.count ?? 0) + 1
                faults[code] = Fault(failure: failure, count: count, last: report.finished.wall)
            }
        }
        entries.append(
            Entry(latency: report.failure?.hasRequest ?? true ? report.latency : nil, isGood: report.failure == nil)
        )
        if entries.count > Self.longest { entries.removeFirst() }
    }

    /// Takes in polls of which only the number is known.
    package mutating func add(_ omission: EventOmission) {
        polls += omission.total
        errors += omission.failureCount
        omitted += omission.total
        for (code, count) in omission.failures { faults[code]?.count += count }
    }

    private var sorted: [Duration] { entries.compactMap(\.latency).sorted() }

    /// The latency that half of the last polls stayed below; `nil` before the first.
    package var median: Duration? { percentile(0.5) }

    /// The latency that a share of the last polls stayed below or at; `nil` before the first.
    package func percentile(_ share: Double) -> Duration? {
        let sorted = sorted
        return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    /// The longest latency of the last polls; `nil` before the first.
    package var maximum: Duration? { entries.compactMap(\.latency).max() }
}
