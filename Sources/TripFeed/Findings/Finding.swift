package import Foundation
package import TripModel

/// An anomaly of a followed trip with its evidence.
package struct Finding: Sendable, Equatable {
    /// The severity.
    package enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Informational; also occurs on healthy trips.
        case info
        /// Noticeable to a rider, or worth an investigation by a tester.
        case warning
        /// Never caused by a healthy service, device or client.
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

    /// The name of the evidence with the names of the faults that were injected into the poll.
    static let fault = "injected"

    /// When it was detected, in the service's time.
    package var time: Date
    /// The journey.
    package var journey: JourneyID
    /// The violated rule.
    package var rule: FindingRule
    /// The severity.
    package var severity: Severity
    /// The numbers and names that show it, in display order.
    package var evidence: [Evidence]

    /// The names of the faults that were injected into the poll; `nil` without one.
    package var injected: String? {
        evidence.lazy.compactMap { entry in
            if entry.name == Self.fault, case .text(let names) = entry.value { names } else { nil }
        }.first
    }
}

/// A number or name that supports a finding.
package struct Evidence: Sendable, Equatable {
    /// A value with its unit.
    package enum Value: Sendable, Hashable {
        /// A duration in seconds.
        case seconds(Double)
        /// A length in meters.
        case meters(Double)
        /// A speed in meters per second.
        case metersPerSecond(Double)
        /// A fraction from 0 to 1.
        case share(Double)
        /// A count.
        case count(Int)
        /// An API name or untrusted text.
        case text(String)
        /// A point in time.
        case time(Date)
    }

    /// The name in camelCase without the unit, such as `shift`.
    package var name: String
    /// The value.
    package var value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}
