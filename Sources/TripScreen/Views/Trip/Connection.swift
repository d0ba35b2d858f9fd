package import Canvas
import Failures
import Runtime
import TripFeed
import TripModel
import TripText

/// The reliability of the displayed state of a trip, in one or two words.
package struct Connection: Sendable, Equatable {
    /// One or two words.
    package var text: String
    /// The style role, one of the badges.
    package var role: Role
    /// Whether there is no problem.
    package var isGood: Bool { role == .badgePositive }

    /// Computes the connection of a trip.
    package init(of trip: FollowedTrip, in state: State) {
        let localizer = state.settings.localizer.about(trip.id.kind)
        let (phrase, role) = Self.words(trip, state.now)
        text = localizer(phrase)
        self.role = role
        if state.timeLine?.scene == .past {
            // The note that the past is shown is more important than what was wrong then, which the view shows.
            (text, self.role) = (localizer(.connectionPast), .badge)
            return
        }
        if phrase == .connectionLive, let mode = Self.mode(state) {
            (text, self.role) = (localizer(mode), .badge)
            return
        }
        guard phrase == .connectionLive, let wait = trip.wait(at: state.now, speed: state.settings.speed) else {
            return
        }
        text = localizer(.connectionNoAnswer(duration: localizer.watch(wait)))
        self.role = .badgeWarning
    }

    /// Computes the number of live trips for display.
    package init(ofAllIn state: State) {
        if let mode = Self.mode(state) {
            (text, role) = (state.settings.localizer(mode), .badge)
            return
        }
        let (live, active) = state.liveTrips
        let count = state.settings.localizer(.connectionsLive(live: String(live), total: String(active)))
        text = active == 0 ? state.settings.localizer(.connectionEnded) : count
        role = active == 0 ? .badge : live == active ? .badgePositive : .badgeWarning
    }

    /// What the screen shows if it is not the present as it happens; `nil` if it is.
    private static func mode(_ state: State) -> Text? {
        switch state.timeLine?.scene {
        case .recording: .connectionReplay
        case .past: .connectionPast
        case .present, nil: state.settings.speed == 0 ? .connectionHeld : nil
        }
    }

    /// Returns the numbers of live and of followed trips.
    static func count(in state: State) -> (live: Int, active: Int) {
        var (live, active) = (0, 0)
        for trip in state.trips where trip.end == nil {
            active += 1
            if words(trip, state.now).0 == .connectionLive { live += 1 }
        }
        return (live, active)
    }

    private static func words(_ trip: FollowedTrip, _ now: Moment) -> (Text, Role) {
        switch trip.end {
        case .reached(let status): return ending(status) ?? (.connectionEnded, .badge)
        case .failed: return (.connectionGivenUp, .badgeCritical)
        case .left: return (.connectionLeft, .badge)
        case nil: break
        }
        if trip.isPaused { return (.connectionPaused, .badgeWarning) }
        guard let schedule = trip.schedule, let report = trip.lastReport else { return (.connectionConnecting, .badge) }
        if schedule.reason == .waitingForCreation { return (.connectionNoSuchTrip, .badgeWarning) }
        if let failure = report.failure {
            if failure.isOnlyMissingToken { return (.connectionNoToken, .badgeCritical) }
            return (.connectionRetrying, .badgeCritical)
        }
        if let words = trip.state.journey.flatMap({ ending($0.status) }) { return words }
        if PositionAge(of: trip, at: now)?.reason != nil { return (.connectionStale, .badgeWarning) }
        return (.connectionLive, .badgePositive)
    }

    /// Returns the words for a status after which nothing is live; `nil` for the others.
    private static func ending(_ status: JourneyStatus) -> (Text, Role)? {
        switch status {
        case .trip(.complete): (.connectionComplete, .badge)
        case .trip(.canceled): (.connectionCanceled, .badgeWarning)
        case .shipment(.succeeded): (.connectionSucceeded, .badge)
        case .shipment(.failed): (.connectionAttemptFailed, .badgeWarning)
        case .trip, .shipment: nil
        }
    }
}
