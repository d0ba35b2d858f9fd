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
        guard let trip, ride.caption != nil, let since = captionBegin(of: trip) else { return caption }
        let seconds = (now.steady - since.steady).seconds / max(1, settings.speed)
        let turn = Int(clamped: max(0, seconds) / Self.captionSeconds)
        guard !turn.isMultiple(of: 2) else { return caption }
        var others = sentences(about: trip).filter { $0 != caption }
        if others.isEmpty { others = [newsSentence(of: trip)].compactMap(\.self) }
        return others.isEmpty ? caption : others[turn / 2 % others.count]
    }

    /// When the caption began; that of a silence began when the silence was long enough to be told.
    private func captionBegin(of trip: FollowedTrip) -> Moment? {
        guard let line = storyLine else { return ride.captionSince }
        // Tokens that are renewed every few seconds do not begin the turn of their sentence anew.
        if line.isRepeated(speed: settings.speed) { return ride.captionSince ?? line.since }
        guard line.event == .silence, !line.isOver, let age = trip.state.receivedAge(at: now) else { return line.since }
        return now.advanced(by: PositionAge.limit(polling: trip.schedule?.interval ?? .zero) - age)
    }

    /// What may be said about a trip now, the strongest first: its next arrival and its last one, the way, its status.
    private func sentences(about trip: FollowedTrip) -> [String] {
        let status = StatusWords(trip.state, localizer: settings.localizer).text
        // While the scenario has no caption, the status is the caption.
        let sentence = status == caption ? nil : settings.localizer(.captionSentence(clauses: status))
        return arrivalSentences(of: trip) + [waySentence(of: trip), sentence].compactMap(\.self)
    }

    /// The claims about the end of a trip, or about its next arrival and its last one, as sentences.
    private func arrivalSentences(of trip: FollowedTrip) -> [String] {
        let view = TripView(state: self, trip: trip)
        let localizer = view.localizer
        func clock(_ time: Date) -> String { view.zone.clock(time, now: now.wall) }
        func sentence(_ clauses: String?...) -> String {
            let text = clauses.compactMap(\.self).joined(separator: localizer(.clauseComma))
            return localizer(.captionSentence(clauses: text))
        }
        func expectation(_ next: Arrivals.Arrival, at time: Date, left: Duration) -> String {
            guard left > .zero else {
                return sentence(next.title(localizer) + localizer(.expectedAt(time: clock(time))))
            }
            let text: Text =
                switch next.kind {
                case .pickup: .captionPickupAt(time: clock(time))
                case .dropoff:
                    next.isOfShipment ? .captionDeliveryAt(time: clock(time)) : .captionDropoffAt(time: clock(time))
                case .intermediateDestination, .unrecognized: .captionStopAt(time: clock(time))
                }
            // From an old position nothing follows about the promise.
            let delay = view.isOld ? nil : next.delay
            return sentence(localizer(text), delay.map { view.promise($0).text })
        }
        switch audienceClaim(of: trip) {
        case .expected(let next, let time, let left):
            let first = expectation(next, at: time, left: left)
            guard case .expected(let last, let end, let rest)? = trip.claims(at: now).all.last?.kind,
                last.place != next.place
            else { return [first] }
            return [first, expectation(last, at: end, left: rest)]
        case .overdue(let next, let expected, let late):
            let seen = clock(expected + late.seconds)
            let time = localizer(.atClock(time: clock(expected)))
            return [sentence(localizer(next.late(by: localizer.watch(late), time, seen: seen)))]
        case .noReport(let silence, let missed?):
            let time = localizer(.atClock(time: clock(missed.expected)))
            return [sentence(localizer(missed.arrival.silent(for: localizer.watch(silence), time)))]
        case .reached(let arrival, let time, let delay):
            let at = view.zone.clock(time)
            let text = localizer(arrival.isLatestDone ? .arrivedBy(time: at) : .arrivedAt(time: at))
            return [sentence(text, delay.map { view.promise($0).text })]
        case .noReport(_, nil), .notShown, .atStop, .ended, nil: return []
        }
    }

    /// How far the vehicle had to go at its last report; `nil` at a stop, and if it is unknown.
    private func waySentence(of trip: FollowedTrip) -> String? {
        let view = TripView(state: self, trip: trip)
        guard let journey = trip.state.journey, journey.isUnderWay, !view.isAtStop,
            !journey.hidden.contains(.remainingDistance), let left = view.distanceToOwnStop(journey)
        else { return nil }
        let localizer = settings.localizer
        return localizer(.captionSentence(clauses: localizer(.captionToGo(distance: localizer.distance(left)))))
    }

    /// When the service has answered last, which may be said when nothing else may; `nil` before its first answer.
    private func newsSentence(of trip: FollowedTrip) -> String? {
        guard let time = trip.state.answerTime else { return nil }
        let localizer = settings.localizer
        let clock = settings.zone.clock(time, now: now.wall)
        return localizer(.captionSentence(clauses: localizer(.captionAnswered(time: clock))))
    }
}
