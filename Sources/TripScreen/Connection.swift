package import Canvas
import TripFeed
package import TripModel

/// How far the picture of a trip can be trusted just now, in a word.
package struct Connection: Sendable, Equatable {
    /// A word or two.
    package var text: String
    /// How it is meant: one of the badges.
    package var role: Role
    /// Whether somebody should look, or wait, or all is well.
    package var isGood: Bool { role == .badgePositive }

    /// The connection of a trip at a moment.
    package init(of trip: FollowedTrip, at now: Moment) {
        (text, role) = Self.words(trip, now)
    }

    private static func words(_ trip: FollowedTrip, _ now: Moment) -> (String, Role) {
        switch trip.end {
        case .reached(let status): return (status == .complete ? "complete" : "ended", .badge)
        case .failed: return ("given up", .badgeCritical)
        case .left: return ("left", .badge)
        case nil: break
        }
        if trip.isPaused { return ("paused", .badgeWarning) }
        guard let schedule = trip.schedule, let report = trip.lastReport else { return ("connecting", .badge) }
        if schedule.reason == .waitingForCreation { return ("no such trip yet", .badgeWarning) }
        if let failure = report.failure {
            if case .token = failure { return ("no token", .badgeCritical) }
            return ("retrying", .badgeCritical)
        }
        if PositionAge(of: trip, at: now)?.reason != nil { return ("stale", .badgeWarning) }
        return ("live", .badgePositive)
    }
}
