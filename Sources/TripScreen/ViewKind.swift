import TripText

/// The views of the screen, in the order of their number keys.
package enum ViewKind: Int, Sendable, Hashable, CaseIterable {
    /// One trip: map, arrival, timeline, token and polls at a glance.
    case trip
    /// All trips as a table.
    case trips
    /// The token of a trip: state, life, claims, fetches.
    case token
    /// The calls of a trip: latencies, outcomes, errors and what to do.
    case network
    /// The last answer as a tree, and what the poll changed in it.
    case inspector
    /// What is not as it should be.
    case findings
    /// All events.
    case log

    /// The name that its tab and the breadcrumb use.
    var title: StringKey {
        switch self {
        case .trip: .viewTrip
        case .trips: .viewTrips
        case .token: .viewToken
        case .network: .viewNetwork
        case .inspector: .viewInspector
        case .findings: .viewFindings
        case .log: .viewLog
        }
    }

    /// The name that the command line and the manual use.
    package var name: String { Wording.english(title) }

    /// The key that shows it.
    package var number: Int { rawValue + 1 }

    /// The one that so many steps to the right, or to the left with a negative number, around the end.
    func stepped(by steps: Int) -> ViewKind {
        let count = Self.allCases.count
        return Self.allCases[((rawValue + steps) % count + count) % count]
    }
}
