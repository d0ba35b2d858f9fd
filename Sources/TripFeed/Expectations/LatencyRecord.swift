import Foundation

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
