import Canvas
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// The caption: what happens on the ride, in words for viewers.
extension State {
    /// The current caption; empty in a session without captions.
    ///
    /// An event of the ride comes first, while it happens and some seconds after it; then the caption of the scenario, and the
    /// status while that has none.
    package var caption: String {
        guard let caption = ride.caption, let trip else { return ride.caption ?? "" }
        if let line = storyLine { return text(of: line) }
        return caption.isEmpty ? StatusWords(trip.state, localizer: settings.localizer).text : caption
    }

    /// What happens on the shown ride besides its statuses; `nil` if there is nothing to say.
    var storyLine: RideStory.Line? {
        // The displayed time does not change after the end.
        guard let trip, trip.end == nil else { return nil }
        let isSilent = PositionAge(of: trip, at: now)?.reason == .driverSilent
        let age = isSilent ? trip.state.receivedAge(at: now) ?? .zero : nil
        let line = trip.story.line(at: now, silentFor: age, speed: settings.speed)
        // A token that comes in time is no event of the ride: its caption belongs to the screens that show the token.
        return line?.event == .newToken && !display.showsTalk && !view.panel.showsTalk ? nil : line
    }

    /// The role of a panel's frame: lit for a second after a change in it.
    func frameRole(_ panel: RideStory.Panel) -> Role {
        trip?.story.lit(at: now, speed: settings.speed) == panel ? .focusedBorder : .border
    }

    private var hasValidToken: Bool {
        guard let token = trip?.token, let left = TokenLife(token, now: serviceTime(of: token)).left else {
            return false
        }
        return left > .zero
    }

    private func serviceTime(of token: TokenStatus) -> Date {
        now.wall.addingTimeInterval(token.clockOffset?.seconds ?? 0)
    }

    private func text(of line: RideStory.Line) -> String {
        let localizer = settings.localizer
        switch (line.event, line.isOver) {
        case (.rejection, false): return localizer(.captionRejected)
        case (.rejection, true): return localizer(.captionReplaced)
        case (.noToken, false): return localizer(hasValidToken ? .captionOldToken : .captionNoToken)
        case (.noToken, true): return localizer(.captionTokenAgain)
        case (.silence, false):
            let age = trip?.state.receivedAge(at: now) ?? .zero
            return localizer(.captionSilent(age: localizer.age(age)))
        case (.silence, true): return localizer(.captionReports)
        case (.detour, _): return localizer(.captionDetour)
        case (.standstill, false): return localizer(.captionStill)
        case (.standstill, true): return localizer(.captionMoves)
        case (.jam, false): return localizer(.captionJam)
        case (.jam, true): return localizer(.captionJamOver)
        case (.newToken, _): return localizer(.captionNewToken(number: String(line.token)))
        case (.newRoute, _): return localizer(.captionNewRoute)
        }
    }
}
