package import Failures
package import FleetWire
package import Foundation
package import Runtime
import Transport
package import TripModel

/// The measurements and the outcome of one poll.
package struct PollReport: Sendable {
    /// The maximum number of characters of a stored header.
    package static let longestHeader = 200
    /// The maximum number of stored headers.
    private static let mostHeaders = 20
    /// The names of the stored headers, in lower case.
    private static let relevantHeaders = Set<String>([
        "allow", "cache-control", "content-encoding", "content-type", "date", "etag", "expires", "grpc-encoding",
        "location", "retry-after", "server", "server-timing", "vary", "www-authenticate", "x-request-id",
    ]).union(CacheEvidence.headerNames)

    /// Returns the stored headers of an answer.
    static func relevant(_ headers: [(name: String, value: String)]) -> [HeaderField] {
        headers.lazy.filter { relevantHeaders.contains($0.name.lowercased()) }.prefix(mostHeaders).map {
            HeaderField(name: $0.name, value: String($0.value.prefix(longestHeader)))
        }
    }

    /// The call of the service that returned the trip or the shipment.
    package enum Call: String, Sendable {
        /// A request for one trip.
        case getTrip = "GetTrip"
        /// A request for one shipment.
        case getTaskTrackingInfo = "GetTaskTrackingInfo"
        /// A page of a search, without routes and waypoints.
        case searchTrips = "SearchTrips"

        /// Whether the answer is one trip or shipment alone.
        package var isOfOne: Bool { self != .searchTrips }

        /// The HTTP method over REST.
        package var httpMethod: String { self == .searchTrips ? "POST" : "GET" }
    }

    /// What the rules use besides a poll and the state of its trip.
    package struct Examined: Sendable, Equatable {
        /// The trip's token after the poll.
        package var token: ExaminedToken
        /// The poll interval.
        package var interval: Duration

        package init(token: ExaminedToken, interval: Duration) { (self.token, self.interval) = (token, interval) }
    }

    /// The requested trip.
    package var trip: JourneyID
    /// The call that returned it.
    package var call = Call.getTrip
    /// Whether the call had a server token instead of one for the trip.
    package var isByServer = false
    /// When the poll began, before it had a token.
    package var started: Moment
    /// When the outcome was known.
    package var finished: Moment
    /// The request's URL, also if there was no token to send it with; `nil` if unknown.
    package var url: String?
    /// The options with which a command connects as the request did; `nil` if it needs none.
    package var options: ConnectionOptions?
    /// The request over gRPC; `nil` over REST.
    package var remoteCall: RemoteCall?
    /// The duration of the request in real time, excluding the wait for a token.
    package var latency: Duration
    /// The size of the body in bytes, over gRPC that of the message; `nil` without a body, and for a trip of a search: its page
    /// has other trips, too.
    package var bytes: Int?
    /// The body for the inspector, over gRPC the message as ProtoJSON; `nil` without a body, and for a trip of a search.
    package var body: KeptBody?
    /// The HTTP status, over gRPC that of the same answer over REST; `nil` without an answer.
    package var httpStatus: Int?
    /// The status of an answer over gRPC; `nil` over REST.
    package var grpcStatus: StatusCode?
    /// The headers of the answer that identify the server, the content and caches; untrusted text of bounded length.
    package var headers: [HeaderField] = []
    /// The service's time when the answer was sent, in whole seconds.
    package var serverDate: Date?
    /// The time that the answer spent in caches.
    package var cacheAge = Duration.zero
    /// The headers of the cache that sent the answer; `nil` if it is not known to come from a cache.
    package var cache: CacheEvidence?
    /// The parts that the answer omitted because they had not changed since the versions in the request.
    package var leftOut: Set<GuardedPart> = []
    /// What was sent and what came back instead of a trip; `nil` after a success, in a replay, and if nothing was sent.
    package var exchange: Exchange?
    /// The fault that was injected into the poll, with a successful answer, too; `nil` without one.
    package var fault: InjectedFault?
    /// What the rules examined with the poll; `nil` if they did not examine it.
    package var examined: Examined?
    /// The trip or the failure.
    package var outcome: Result<Journey, Failure>

    /// Creates the report of a poll that is about to start.
    package init(trip: JourneyID, started: Moment) {
        self.trip = trip
        self.started = started
        finished = started
        latency = .zero
        outcome = .failure(.cancelled)
    }

    /// The failure; `nil` if the poll succeeded.
    package var failure: Failure? {
        guard case .failure(let failure) = outcome else { return nil }
        return failure
    }

    /// The names of the faults that were injected into the poll or have kept it from getting a token; `nil` without one.
    package var faultNames: String? { (fault ?? failure?.injected)?.name }

    /// Whether a request was sent: there was a token, and no injected fault prevented it.
    ///
    /// What was not sent is no call.
    package var isSent: Bool { failure?.isSent ?? true }

    /// The time that the service took; `nil` if nothing was sent or an injected fault delayed it in this program.
    package var serviceLatency: Duration? { isSent && fault?.changesLatency != true ? latency : nil }
}

/// A part of a trip that an answer omits unless it is newer than the version in the request.
package enum GuardedPart: String, Sendable, Hashable, CaseIterable {
    /// The path to the next waypoint.
    case route
    /// The traffic along the route.
    case traffic
    /// The paths and the traffic between the waypoints.
    case waypointRoutes

    /// Returns the parts whose version is the requested one and whose content is absent.
    package static func leftOut(of answer: Journey, for request: JourneyRequest) -> Set<GuardedPart> {
        guard case .trip(let answer) = answer else { return [] }
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
