package import FleetTokens
import Runtime
package import TripModel

/// The search for the active trips of the project.
package struct ProjectSearch: Sendable {
    /// The trips that the last search has found.
    package internal(set) var found: [JourneyID] = []
    /// When they were searched.
    var searched: Moment?
    /// The status of the server token, which lists the trips; `nil` before its first event.
    package internal(set) var token: TokenStatus?
}
