import Runtime

/// A threshold of a finding rule: a name, a default and a unit.
///
/// The limits of all rules are what flags, environment and configuration file can set.
package struct FindingLimit: Sendable, Hashable, Identifiable {
    /// The unit of a threshold, as printed.
    package enum Unit: String, Sendable, Hashable {
        case seconds = "s"
        case meters = "m"
        case metersPerSecond = "m/s"
        /// A fraction from 0 to 1.
        case share = "of 1"
    }

    /// The name in flags and settings, in camelCase.
    package let id: String
    /// The default, in ``unit``.
    package let standard: Double
    /// The unit of the value.
    package let unit: Unit
    /// The condition under which a finding is reported, as a clause for the manual.
    package let documentation: String

    /// The accepted values.
    package var range: ClosedRange<Double> { unit == .share ? 0...1 : 0...1_000_000 }

    static func seconds(_ id: String, _ standard: Double, _ documentation: String) -> FindingLimit {
        FindingLimit(id: id, standard: standard, unit: .seconds, documentation: documentation)
    }

    static func meters(_ id: String, _ standard: Double, _ documentation: String) -> FindingLimit {
        FindingLimit(id: id, standard: standard, unit: .meters, documentation: documentation)
    }

    static func metersPerSecond(_ id: String, _ standard: Double, _ documentation: String) -> FindingLimit {
        FindingLimit(id: id, standard: standard, unit: .metersPerSecond, documentation: documentation)
    }

    static func share(_ id: String, _ standard: Double, _ documentation: String) -> FindingLimit {
        FindingLimit(id: id, standard: standard, unit: .share, documentation: documentation)
    }

    /// The limits of all rules, each once.
    package static let all: [FindingLimit] = FindingRule.all.flatMap(\.limits).reduce(into: []) { limits, limit in
        if !limits.contains(limit) { limits.append(limit) }
    }
}

/// The thresholds above which findings are reported; every value can be changed.
///
/// The defaults were tuned on recorded rides, so that healthy rides cause few findings.
package struct FindingLimits: Sendable, Equatable {
    private var changes: [FindingLimit.ID: Double] = [:]

    /// The defaults.
    package init() {}

    /// The value of a threshold in its unit.
    package subscript(limit: FindingLimit) -> Double {
        get {
            assert(FindingLimit.all.contains(limit), "\(limit.id) can't be configured: no rule lists it")
            return changes[limit.id] ?? limit.standard
        }
        set { changes[limit.id] = newValue }
    }
}
