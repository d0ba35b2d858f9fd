package import Foundation
package import TripModel

/// Something about a followed trip that is not as it should be, with the numbers that show it.
package struct Finding: Sendable, Equatable {
    /// How much it matters.
    package enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Worth knowing; happens on healthy trips too.
        case info
        /// Something a rider notices, or a tester has to look into.
        case warning
        /// What no healthy service, device or client does.
        case error

        package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .info: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// When it was noticed, in the service's time.
    package var time: Date
    /// The trip.
    package var trip: TripID
    /// What is not kept.
    package var rule: FindingRule
    /// How much it matters.
    package var severity: Severity
    /// The numbers and names that show it, in the order in which they are best read.
    package var evidence: [Evidence]

    /// A finding of these parts.
    package init(
        time: Date,
        trip: TripID,
        rule: FindingRule,
        severity: Severity,
        evidence: [Evidence]
    ) {
        self.time = time
        self.trip = trip
        self.rule = rule
        self.severity = severity
        self.evidence = evidence
    }
}

/// One number or name that shows a finding.
package struct Evidence: Sendable, Equatable {
    /// A value with its unit.
    package enum Value: Sendable, Hashable {
        /// A span of time in seconds.
        case seconds(Double)
        /// A length in metres.
        case meters(Double)
        /// A speed in metres per second.
        case metersPerSecond(Double)
        /// A part of a whole, 1 for all of it.
        case share(Double)
        /// A number of things.
        case count(Int)
        /// A name of the API, or outside text.
        case text(String)
        /// A point in time.
        case time(Date)
    }

    /// What it is, in camelCase and without the unit, such as `shift`.
    package var name: String
    /// How much, or which.
    package var value: Value

    /// A named value.
    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}
