/// A comparison of a measured value with an expected one, such as `latency.p95 < 500 ms`.
package struct MeasureCheck: Sendable, Equatable {
    /// How the measured value is compared with the expected one.
    package enum Relation: String, Sendable, CaseIterable {
        case atMost = "<="
        case atLeast = ">="
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case more = ">"

        /// Whether only numbers can be compared in this way.
        package var needsNumber: Bool { self != .equal && self != .unequal }

        /// Whether a small value is more likely to fulfil it.
        package var prefersSmall: Bool { self == .less || self == .atMost }
    }

    /// The ID of the measure in the table of measures.
    package var measure: String
    /// What the measure is about, such as a code of failures or the path of a field; empty for most measures.
    package var argument: String
    /// How the values are compared.
    package var relation: Relation
    /// The expected value.
    package var expected: MeasuredValue
    /// The unit in which the values are shown; a number without a unit of its own is in the basic unit of the measure.
    package var unit: MeasureUnit

    package init(
        _ measure: String,
        _ relation: Relation,
        _ expected: MeasuredValue,
        argument: String = "",
        unit: MeasureUnit = .none
    ) {
        (self.measure, self.argument, self.relation) = (measure, argument, relation)
        (self.expected, self.unit) = (expected, unit)
    }

    /// The measure with its argument, as it is written.
    package var name: String { argument.isEmpty ? measure : "\(measure).\(argument)" }

    /// The expected value with its relation, such as `< 500 ms`.
    package var limit: String { "\(relation.rawValue) \(expected.text(in: unit))" }

    /// The comparison as it is written.
    package var words: String { "\(name) \(limit)" }

    /// Returns whether a measured value is as expected; an unknown one is only unequal.
    package func holds(for actual: MeasuredValue?) -> Bool {
        let actual = actual ?? .missing
        switch relation {
        case .equal: return actual == expected
        case .unequal: return actual != expected
        case .less, .atMost, .more, .atLeast: break
        }
        guard case .number(let actual) = actual, case .number(let expected) = expected else { return false }
        return switch relation {
        case .less: actual < expected
        case .atMost: actual <= expected
        case .more: actual > expected
        case .atLeast, .equal, .unequal: actual >= expected
        }
    }

    /// Returns whether one value comes closer to breaking the comparison than another.
    package func isWorse(_ value: MeasuredValue, than other: MeasuredValue) -> Bool {
        guard case .number(let value) = value, case .number(let other) = other else { return false }
        return relation.prefersSmall ? value > other : value < other
    }
}

/// A measured or expected value.
package enum MeasuredValue: Sendable, Equatable {
    /// A number in the basic unit of its measure.
    case number(Double)
    /// A text; untrusted if it was measured.
    case text(String)
    case flag(Bool)
    /// An object or a list as canonical JSON; untrusted if it was measured.
    case json(String)
    /// There is no value.
    case missing

    /// Returns the value as it is written, in a unit, with all digits that it needs.
    package func text(in unit: MeasureUnit) -> String {
        switch self {
        case .number(let number):
            let rounded = Self.rounded(number, in: unit)
            let value = rounded * unit.factor == number ? rounded : number / unit.factor
            return Self.text(value, in: unit)
        case .text(let text), .json(let text): return text
        case .flag(let flag): return "\(flag)"
        case .missing: return "missing"
        }
    }

    /// Returns a measured value as evidence for a comparison: with two decimal places, unless the rounded value would be
    /// judged in another way.
    package func text(for check: MeasureCheck) -> String {
        guard case .number(let number) = self else { return text(in: check.unit) }
        let rounded = Self.rounded(number, in: check.unit)
        guard check.holds(for: .number(rounded * check.unit.factor)) == check.holds(for: self) else {
            return text(in: check.unit)
        }
        return Self.text(rounded, in: check.unit)
    }

    /// Returns a number in a unit, rounded to two decimal places.
    private static func rounded(_ number: Double, in unit: MeasureUnit) -> Double {
        (number / unit.factor * 100).rounded() / 100
    }

    private static func text(_ value: Double, in unit: MeasureUnit) -> String {
        ExpectedConditions.text(value) + (unit.symbol.isEmpty ? "" : " \(unit.symbol)")
    }
}
