import Foundation

/// Whether an arrival moves on with the clock, seen over the driver's reports.
///
/// A driver's estimates go to and fro by some seconds: no single step tells anything, only a span of time does. The arrival
/// slides over a span if it moved on by ``share`` of it, and by half as much in each third of it, so that one jump is none.
struct Slide: Sendable, Equatable {
    private struct Report: Sendable, Equatable {
        var received: Date
        var arrival: Date
    }

    /// The part of the time that passed by which the arrival moved.
    static let share = 0.75
    /// The reports that are kept: ten minutes of a driver that reports every two seconds.
    static let mostReports = 300

    private var reports: [Report] = []

    /// Adds an answer; one without a new report tells nothing.
    mutating func add(received: Date, arrival: Date) {
        if let last = reports.last, received <= last.received { return }
        reports.append(Report(received: received, arrival: arrival))
        if reports.count > Self.mostReports { reports.removeFirst() }
    }

    /// The longest span up to now over which the arrival slides, and by how much, in seconds; `nil` where none is longer than
    /// the least.
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

    private func slidesThroughout(_ span: ArraySlice<Report>) -> Bool {
        guard let first = span.first, let last = span.last else { return false }
        let third = last.received.timeIntervalSince(first.received) / 3
        let marks = (0...3).map { first.received.addingTimeInterval(third * Double($0)) }
        let arrivals = marks.map { mark in span.last { $0.received <= mark }?.arrival ?? first.arrival }
        return zip(arrivals, arrivals.dropFirst()).allSatisfy { before, after in
            after.timeIntervalSince(before) >= third * Self.share / 2
        }
    }
}
