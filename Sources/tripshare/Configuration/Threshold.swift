import Foundation
import Runtime
import TripFeed
import TripText

/// A threshold above which a finding is reported, as set by the user: `offRoute=80`.
struct Threshold: Sendable, Equatable {
    let limit: FindingLimit
    /// The value, in the unit of the limit.
    let value: Double

    /// Why a text is not a threshold.
    struct Problem: Error, CustomStringConvertible {
        /// The message.
        let text: Text
        /// The message in the language of the process, for the parser of arguments.
        var description: String { Localizer.ofProcess(text) }
    }

    /// Creates a threshold; fails for an unknown name or a value out of range.
    init(_ name: String, _ value: Double?) throws(Problem) {
        guard let limit = FindingLimit.all.first(where: { $0.id == name }) else {
            throw Problem(text: .thresholdUnknown(name: excerpt(value: name), names: Self.list))
        }
        guard let value, limit.range.contains(value) else {
            let range = limit.range
            throw Problem(
                text: .thresholdRange(
                    name: limit.id,
                    lowest: Self.text(range.lowerBound),
                    highest: Self.text(range.upperBound),
                    unit: limit.unit.rawValue
                )
            )
        }
        self.limit = limit
        self.value = value
    }

    /// Parses `NAME=VALUE`.
    init(parsing text: String) throws(Problem) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw Problem(text: .thresholdForm(names: Self.list)) }
        try self.init(String(parts[0]), Double(decimal: parts[1]))
    }

    /// All names with their defaults.
    private static var list: String {
        FindingLimit.all.map { "\($0.id) (\(text($0.standard)) \($0.unit.rawValue))" }.joined(separator: ", ")
    }

    private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}

extension FindingLimits {
    /// Returns the defaults with these thresholds applied; the last one wins for duplicate names.
    init(_ thresholds: [Threshold]) {
        self.init()
        for threshold in thresholds { self[threshold.limit] = threshold.value }
    }
}
