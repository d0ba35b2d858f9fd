import ArgumentParser
import Foundation
import TripFeed

/// A threshold above which a finding is reported, as set by the user: `offRoute=80`.
struct Threshold: Sendable, Equatable {
    let name: FindingLimits.Name
    /// The value, in the unit of the name.
    let value: Double

    /// Creates a threshold; throws a ``ValidationError`` for an unknown name or a value out of range.
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

    /// Parses `NAME=VALUE`; throws a ``ValidationError``.
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
    /// Returns the defaults with these thresholds applied; the last one wins for duplicate names.
    init(_ thresholds: [Threshold]) {
        self.init()
        for threshold in thresholds { self[threshold.name] = threshold.value }
    }
}
