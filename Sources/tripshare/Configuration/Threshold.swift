import ArgumentParser
import Foundation
import TripFeed

/// A number from which on something is a finding, as a person sets it: `offRoute=80`.
struct Threshold: Sendable, Equatable {
    let name: FindingLimits.Name
    /// In the unit of the name.
    let value: Double

    /// A number for a name; throws a ``ValidationError`` where there is none of this name, or it can't have this number.
    init(_ name: String, _ value: Double?) throws {
        guard let known = FindingLimits.Name(rawValue: name) else {
            throw ValidationError("There is no threshold \(shown(name)). Known are: \(Self.list).")
        }
        guard let value, known.range.contains(value) else {
            let range = known.range
            throw ValidationError(
                "The threshold \(known.rawValue) takes a number from \(Self.text(range.lowerBound)) to "
                    + "\(Self.text(range.upperBound)) (\(known.unit.rawValue))."
            )
        }
        self.name = known
        self.value = value
    }

    /// Reads `NAME=VALUE`; throws a ``ValidationError``.
    init(parsing text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw ValidationError("A threshold is NAME=NUMBER, such as offRoute=80. Known are: \(Self.list).")
        }
        try self.init(String(parts[0]), Double(String(parts[1])))
    }

    /// All names with their defaults.
    private static var list: String {
        FindingLimits.Name.allCases
            .map { "\($0.rawValue) (\(text(FindingLimits()[$0])) \($0.unit.rawValue))" }
            .joined(separator: ", ")
    }

    private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}

extension FindingLimits {
    /// The defaults but for these; of two for the same name the later one counts.
    init(_ thresholds: [Threshold]) {
        self.init()
        for threshold in thresholds { self[threshold.name] = threshold.value }
    }
}
