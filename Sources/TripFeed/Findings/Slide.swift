import DequeModule
import Foundation

/// Detects an ETA that advances with the clock, over several driver reports.
///
/// A driver's estimates vary by some seconds, so a single step proves nothing. The ETA slides over a period if it advanced by
/// ``share`` of it, and by half of that share in each third of it. The second condition excludes a single jump.
struct Slide: Sendable, Equatable {
    private struct Report: Sendable, Equatable {
        var received: Date
        var arrival: Date
    }

    /// The minimum ratio between the advance of the ETA and the elapsed time.
    static let share = 0.75
    /// The maximum number of stored reports: 10 minutes with one report every 2 s.
    static let maximumReports = 300

    private var reports: Deque<Report> = []

    /// Adds an answer; ignores one without a new report.
    mutating func add(received: Date, arrival: Date) {
        if let last = reports.last, received <= last.received { return }
        reports.append(Report(received: received, arrival: arrival))
        if reports.count > Self.maximumReports { reports.removeFirst() }
    }

    /// Returns the longest period up to now in which the ETA slides, and the shift, in seconds.
    ///
    /// Returns `nil` if no such period exceeds `least`.
    func longest(atLeast least: Double) -> (time: Double, shift: Double)? {
        guard let last = reports.last else { return nil }
        for (index, first) in reports.enumerated() {
            let time = last.received.timeIntervalSince(first.received)
            guard time > least else { return nil }
            let shift = last.arrival.timeIntervalSince(first.arrival)
            if shift >= time * Self.share, slidesThroughout(reports[index...]) { return (time, shift) }
        }
        return nil
    }

    private func slidesThroughout(_ span: Slice<Deque<Report>>) -> Bool {
        guard let first = span.first, let last = span.last else { return false }
        let third = last.received.timeIntervalSince(first.received) / 3
        let marks = (0...3).map { first.received.addingTimeInterval(third * Double($0)) }
        let arrivals = marks.map { mark in span.last { $0.received <= mark }?.arrival ?? first.arrival }
        return zip(arrivals, arrivals.dropFirst()).allSatisfy { before, after in
            after.timeIntervalSince(before) >= third * Self.share / 2
        }
    }
}
