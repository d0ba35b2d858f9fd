import TripText

/// The views of the screen, in the order of their number keys.
package enum ViewKind: Int, Sendable, Hashable {
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
    /// What driver, server and rider of a trip saw; only of a log.
    case sides

    /// The name that its tab and the breadcrumb use.
    var title: Text { panel.title }

    /// The name on the command line and in the manual.
    package var name: String { Localizer.english(title) }

    /// The number key that shows it.
    package var number: Int { rawValue + 1 }

    /// Returns the view a number of steps to the right (left if negative) among some views, wrapping around.
    func stepped(by steps: Int, in views: [ViewKind]) -> ViewKind {
        let place = views.firstIndex(of: self) ?? 0
        return views[((place + steps) % views.count + views.count) % views.count]
    }
}

extension ViewKind: CaseIterable {
    /// The views of every session, that is all but ``sides``.
    package static let allCases: [ViewKind] = [.trip, .trips, .token, .network, .inspector, .findings, .log]

    /// The views of all sessions.
    static let all = allCases + [.sides]
}

extension State {
    /// The views of the session; a log has no tokens, requests and bodies.
    var views: [ViewKind] { settings.hasSides ? [.trip, .trips, .findings, .log, .sides] : ViewKind.allCases }
}
