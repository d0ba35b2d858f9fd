import FleetTokens
import Foundation
import TokenSigning

/// The token endpoint of a backend, independent of its web framework.
struct TokenBackend: Sendable {
    /// An answer for the framework to send.
    struct Answer: Sendable, Equatable {
        var status: Int
        var json = "{}"
    }

    let key: ServiceAccountKey
    /// Returns whether a user may see a trip; this decision is yours.
    let mayFollow: @Sendable (_ user: String, _ trip: TripID) async -> Bool

    /// Answers `GET /token/consumer/{tripId}` for the user of your own login, `nil` without a login.
    func consumerToken(_ tripID: String, user: String?, now: Date = Date()) async -> Answer {
        guard let user else { return Answer(status: 401) }
        // `*` is a token for all trips, and not valid as an ID here.
        guard tripID != "*", let trip = try? TripID(tripID) else { return Answer(status: 400) }
        // The same answer for a trip that does not exist: IDs can't be guessed.
        guard await mayFollow(user, trip) else { return Answer(status: 404) }
        guard let token = try? await key.sign(.trip(trip), at: now, lifetime: .seconds(3300)) else {
            return Answer(status: 500)
        }
        let created = Int(now.timeIntervalSince1970 * 1000)
        // Send it with `Cache-Control: no-store`, and never log it.
        return Answer(
            status: 200,
            json: #"{"jwt":"\#(token.revealed)","creationTimestamp":\#(created),"#
                + #""expirationTimestamp":\#(created + 3_300_000)}"#
        )
    }
}
