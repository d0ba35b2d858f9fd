import Canvas
import FleetTokens
import TripFeed
import TripText

/// What a presenter's console shows about the screen of the audience.
extension State {
    /// The status of the trip and of the connection.
    package var presenterTrip: PresenterReport.Sentence {
        guard let trip else { return PresenterReport.Sentence(settings.localizer(.noTripFollowed), .warning) }
        let words = StatusWords(trip.state, localizer: settings.localizer)
        let connection = Connection(of: trip, in: self)
        let tone = connection.isGood ? words.role : connection.role
        return PresenterReport.Sentence(
            "\(words.text) \(settings.glyphs.separator) \(connection.text)",
            PresenterReport.Tone(tone)
        )
    }

    /// What the token of the trip does now and next.
    package var presenterToken: PresenterReport.Sentence {
        guard let trip else { return PresenterReport.Sentence("") }
        let view = TripView(state: self, trip: trip)
        guard let token = trip.token else { return PresenterReport.Sentence(view.whyNoToken) }
        let story = view.story(of: token, TokenLife(token, now: view.serviceNow(token)), isOver: trip.end != nil)
        return PresenterReport.Sentence(story.text, PresenterReport.Tone(story.role))
    }

    /// What the audience reads: the caption, or the page between two rides.
    package var presenterCaption: String {
        titlePage.map { "\($0.title) \(settings.glyphs.separator) \($0.about)" } ?? caption
    }
}
