import Runtime
import TripFeed

/// What an audience reads about the next arrival.
extension State {
    /// A vehicle with a trip reports within this time, unless its device is silent.
    private static let reportInterval = Duration.seconds(10)

    /// Returns the claim about the end of a trip or about its next arrival; `nil` without one.
    ///
    /// When a show with captions is played faster, the expected time of an arrival often passes a moment before the answer that
    /// shows it, and the sentence that there is no news would stand too shortly to be read. Until the silence is longer than the
    /// intervals of polls and reports explain, the arrival stays the expected one with no time left: its countdown has run out.
    func audienceClaim(of trip: FollowedTrip) -> Claim.Kind? {
        let claims = trip.claims(at: now)
        let kind = (claims.final ?? claims.next)?.kind
        guard settings.speed > 1, ride.caption != nil, case .noReport(let silence, let missed?)? = kind,
            let schedule = trip.schedule, schedule.failures == 0, silence <= schedule.interval + Self.reportInterval
        else { return kind }
        return .expected(missed.arrival, at: missed.expected, left: .zero)
    }
}
