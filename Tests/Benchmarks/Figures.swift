import Foundation
import Runtime

/// Collects several readings of each figure and prints their medians.
struct Figures {
    private var readings: [String: [Double]] = [:]
    private var order: [String] = []

    /// Adds a reading.
    mutating func add(_ name: String, _ value: Double) {
        if readings[name] == nil { order.append(name) }
        readings[name, default: []].append(value)
    }

    /// The median of a figure; `nil` if it has no reading.
    func median(_ name: String) -> Double? {
        guard let values = readings[name]?.sorted(), !values.isEmpty else { return nil }
        return values[values.count / 2]
    }

    /// Prints the median, the smallest and the largest reading of every figure.
    func print(unit: String) {
        for name in order {
            guard let values = readings[name]?.sorted(), let least = values.first, let most = values.last else {
                continue
            }
            let median = Self.text(values[values.count / 2])
            say(
                "  \(Self.pad(name, 44)) \(median) \(unit)  (\(Self.text(least).trimmed) to \(Self.text(most).trimmed))"
            )
        }
    }

    /// Prints whether the ratio of two figures is within a limit.
    func gate(_ name: String, _ figure: String, over other: String, atMost bound: Double) {
        guard let value = median(figure), let base = median(other), base > 0 else {
            return say("  \(Self.pad(name, 60))  skipped: nothing to compare with")
        }
        Self.gate(name, value / base, atMost: bound)
    }

    /// Prints whether a value is within a limit.
    static func gate(_ name: String, _ value: Double, atMost bound: Double, unit: String = "×") {
        let verdict = value <= bound ? "met" : "MISSED"
        say("  \(pad(name, 60)) \(text(value)) \(unit) (aim \(text(bound).trimmed))  \(verdict)")
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }

    private static func text(_ value: Double) -> String {
        let digits = value < 10 ? 2 : value < 100 ? 1 : 0
        let text = String(format: "%.\(digits)f", value)
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

/// The duration of a body in nanoseconds of real time.
func nanoseconds(of body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    let taken = (ContinuousClock.now - start).components
    return Double(taken.seconds) * 1e9 + Double(taken.attoseconds) / 1e9
}

/// Writes a line at once, so that an interrupted run has printed its results so far.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
