import FleetWire
package import Foundation
import HTTPTransport
package import TripModel

/// What one poll was like.
package struct PollReport: Sendable {
    /// The trip that was asked for.
    package var trip: TripID
    /// When the request was sent, or would have been, had there been a token.
    package var started: Moment
    /// When its outcome was known.
    package var finished: Moment
    /// The URL that was asked, or would have been, had there been a token; `nil` where that is not known.
    package var url: String?
    /// How long the request took, in real time, waiting for a token excluded.
    package var latency: Duration
    /// The size of the body; `nil` where none came.
    package var bytes: Int?
    /// The body, for an inspector; `nil` where none came.
    package var body: KeptBody?
    /// The HTTP status; `nil` where no answer came.
    package var httpStatus: Int?
    /// The service's time of the answer, from its `Date` header: whole seconds.
    package var serverDate: Date?
    /// What the answer left out, as it had not changed since the versions that the request named.
    package var leftOut: Set<GuardedPart> = []
    /// What came of it.
    package var outcome: Result<Trip, PollFailure>

    /// A report of a poll that is about to begin.
    package init(trip: TripID, started: Moment) {
        self.trip = trip
        self.started = started
        finished = started
        latency = .zero
        outcome = .failure(.transport(.cancelled))
    }

    /// Why it failed; `nil` where it did not.
    package var failure: PollFailure? {
        guard case .failure(let failure) = outcome else { return nil }
        return failure
    }
}

/// A part of a trip that an answer leaves out where it is not newer than what the request says to know.
package enum GuardedPart: String, Sendable, Hashable, CaseIterable {
    /// The path to the next waypoint.
    case route
    /// The traffic along it.
    case traffic
    /// The paths and the traffic between the waypoints.
    case waypointRoutes

    /// The parts that a request guards and an answer has the same version of, without their contents.
    static func leftOut(of answer: Trip, for request: GetTripRequest) -> Set<GuardedPart> {
        var parts: Set<GuardedPart> = []
        if let known = request.routeVersion, known == answer.routeVersion, answer.route == nil { parts.insert(.route) }
        if let known = request.trafficVersion, known == answer.trafficVersion, answer.traffic == nil {
            parts.insert(.traffic)
        }
        if let known = request.waypointsRouteVersion, known == answer.remainingWaypointsRouteVersion,
            answer.remainingWaypoints.allSatisfy({ $0.path == nil })
        {
            parts.insert(.waypointRoutes)
        }
        return parts
    }
}
