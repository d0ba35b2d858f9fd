package import Failures
package import FleetTokens
package import FleetWire
package import Foundation
package import Runtime
package import TripModel

/// The measurements and the outcome of one poll.
package struct PollReport: Sendable {
    /// What the rules use besides a poll and the state of its trip.
    package struct Examined: Sendable, Equatable {
        /// The trip's token after the poll.
        package var token: ExaminedToken
        /// The poll interval.
        package var interval: Duration

        package init(token: ExaminedToken, interval: Duration) { (self.token, self.interval) = (token, interval) }
    }

    /// The requested journey.
    package var journey: JourneyID
    /// Whether the call had a server token instead of one for the trip.
    package var isByServer = false
    /// When the poll began, before it had a token.
    package var started: Moment
    /// When the outcome was known.
    package var finished: Moment
    /// The request and what came back; `nil` if nothing was sent, and in a log.
    package var call: Call?
    /// The service's time when the answer was sent, in whole seconds.
    package var serverDate: Date?
    /// The time that the answer spent in caches.
    package var cacheAge = Duration.zero
    /// The headers of the cache that sent the answer; `nil` if it is not known to come from a cache.
    package var cache: CacheEvidence?
    /// The parts that the answer omitted because they had not changed since the versions in the request.
    package var leftOut: Set<GuardedPart> = []
    /// What the rules examined with the poll; `nil` if they did not examine it.
    package var examined: Examined?
    /// The trip or the failure.
    package var outcome: Result<Journey, Failure> {
        didSet {
            guard var call, call.failure != nil || failure != nil else { return }
            call.failure = failure
            self.call = call
        }
    }

    /// Creates the report of a poll that is about to start.
    package init(journey: JourneyID, started: Moment) {
        self.journey = journey
        self.started = started
        finished = started
        outcome = .failure(.cancelled)
    }

    /// The failure; `nil` if the poll succeeded.
    package var failure: Failure? {
        guard case .failure(let failure) = outcome else { return nil }
        return failure
    }

    /// The call that returned the trip, or would have.
    package var operation: Call.Operation {
        call?.operation ?? (journey.kind == .trip ? .getTrip : .getTaskTrackingInfo)
    }

    /// The answer; `nil` if there was none.
    package var answer: Call.Answer? { call?.answer }

    /// The status of the answer, also of one that a fault made up; `nil` if there was none.
    package var status: AnswerStatus? { call?.status ?? failure?.status }

    /// The duration of the request in real time, excluding the wait for a token; 0 if nothing was sent.
    package var latency: Duration { call?.duration ?? .zero }

    /// The fault that was injected into the poll, with a successful answer, too; `nil` without one.
    package var fault: InjectedFault? { call?.fault ?? (failure?.isHeldBack == true ? failure?.injected : nil) }

    /// The names of the faults that were injected into the poll or prevented it from getting a token; `nil` without one.
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
