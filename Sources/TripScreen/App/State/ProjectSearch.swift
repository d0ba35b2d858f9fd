package import FleetTokens
import Runtime
import TripFeed
package import TripModel

/// The search for the active trips of the project.
package struct ProjectSearch: Sendable {
    /// The trips that the last search has found.
    package internal(set) var found: [JourneyID] = []
    /// When they were searched.
    var searched: Moment?
    /// The latest calls that are about no single trip: pages of searches, and fetches of the server token.
    package internal(set) var calls = CallLog()
    /// The status of the server token, which lists the trips; `nil` before its first event.
    package internal(set) var token: TokenStatus?
    /// The event of ``token``.
    var tokenEvent: EventStamp?
}
