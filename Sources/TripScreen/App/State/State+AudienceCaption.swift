import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// What an audience reads: the caption, and in turn with it what else may be said now, so that no sentence stands for long.
extension State {
    /// How long a sentence stands, in seconds of real time.
    static let captionSeconds = 12.0

    /// The sentence for the audience; empty in a session without captions.
    package var audienceCaption: String {
        let caption = caption
        guard let trip, ride.caption != nil, let since = storyLine?.since ?? ride.captionSince else { return caption }
        let seconds = (now.steady - since.steady).seconds / max(1, settings.speed)
        let turn = Int(clamped: max(0, seconds) / Self.captionSeconds)
        guard !turn.isMultiple(of: 2) else { return caption }
        let others = sentences(about: trip).filter { $0 != caption }
        return others.isEmpty ? caption : others[turn / 2 % others.count]
    }

    /// What may be said about a trip now, the strongest first: its claim about the arrival, its status.
    private func sentences(about trip: FollowedTrip) -> [String] {
        let status = StatusWords(trip.state, localizer: settings.localizer).text
        // While the scenario has no caption, the status is the caption.
        let sentence = status == caption ? nil : settings.localizer(.captionSentence(clauses: status))
        return [arrivalSentence(of: trip), sentence].compactMap(\.self)
    }

    /// The claim about the arrival as a sentence; `nil` without one.
    private func arrivalSentence(of trip: FollowedTrip) -> String? {
        let view = TripView(state: self, trip: trip)
        let localizer = settings.localizer
        let claims = trip.claims(at: now)
        switch (claims.final ?? claims.next)?.kind {
        case .expected(let next, let time, _):
            let clock = view.zone.clock(time, now: now.wall)
            let text: Text =
                switch next.kind {
                case .pickup: .captionPickupAt(time: clock)
                case .dropoff: next.isOfShipment ? .captionDeliveryAt(time: clock) : .captionDropoffAt(time: clock)
                case .intermediateDestination, .unrecognized: .captionStopAt(time: clock)
                }
            // From an old position nothing follows about the promise.
            let promise = view.isOld ? nil : next.delay.map { view.promise($0).text }
            return localizer(
                .captionSentence(
                    clauses: [localizer(text), promise].compactMap(\.self).joined(separator: localizer(.clauseComma))
                )
            )
        case .reached(let arrival, let time, let delay):
            let clock = view.zone.clock(time)
            let text = localizer(arrival.isLatestDone ? .arrivedBy(time: clock) : .arrivedAt(time: clock))
            let clauses = [text, delay.map { view.promise($0).text }].compactMap(\.self)
            return localizer(.captionSentence(clauses: clauses.joined(separator: localizer(.clauseComma))))
        case .overdue, .notShown, .noReport, .atStop, .ended, nil: return nil
        }
    }
}
