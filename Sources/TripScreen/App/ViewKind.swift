import TripText

/// The views of the screen, in the order of their number keys.
package enum ViewKind: Int, Sendable, Hashable, CaseIterable {
    /// One trip: map, arrival, timeline, token and polls.
    case trip
    /// A table of all trips.
    case trips
    /// A trip's token: state, lifetime, claims, fetches.
    case token
    /// A trip's requests: latencies, outcomes, errors and remedies.
    case network
    /// The last answer as a tree, with the changes of the last poll.
    case inspector
    /// The findings of a trip.
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

    /// The name on the command line and in the manual.
    package var name: String { Localizer.english(title) }

    /// The number key that shows it.
    package var number: Int { rawValue + 1 }

    /// Returns the view a number of steps to the right (left if negative), wrapping around.
    func stepped(by steps: Int) -> ViewKind {
        let count = Self.allCases.count
        return Self.allCases[((rawValue + steps) % count + count) % count]
    }
}
