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

/// The measurements and the outcome of one request of SearchTrips.
package struct SearchReport: Sendable {
    /// The request and what came back; `nil` if nothing was sent.
    package private(set) var call: Call?
    /// When the request began, before it had a token.
    package let started: Moment
    /// When the outcome was known.
    package let finished: Moment
    /// The service's time when the answer was sent.
    package let serverDate: Date?
    /// The time that the answer spent in caches.
    let cacheAge: Duration
    /// The headers of the cache that sent the answer; `nil` if it is not known to come from a cache.
    let cache: CacheEvidence?
    /// The page or the failure.
    package let outcome: Result<TripPage, Failure>

    init(
        _ call: AuthorizedCall,
        of content: FleetCall,
        at endpoint: ServiceEndpoint,
        outcome: Result<TripPage, Failure>
    ) {
        (started, finished, self.outcome) = (call.started, call.finished, outcome)
        (serverDate, cacheAge, cache) = (call.serverDate, call.cacheAge, call.cache)
        let failure: Failure? = if case .failure(let failure) = outcome { failure } else { nil }
        self.call = call.record(of: content, at: endpoint, failure: failure)
    }

    /// The report for the polls of the listed trips: the call without its bodies and its size, which are of all trips of the page.
    var ofTrips: SearchReport {
        var report = self
        report.call?.request.body = nil
        report.call?.answer?.body = nil
        report.call?.answer?.bytes = nil
        return report
    }

    /// The failure; `nil` if the request succeeded.
    package var failure: Failure? { if case .failure(let failure) = outcome { failure } else { nil } }
}

/// A call in a list of calls.
package struct ListedCall: Sendable {
    /// The status of a token; indirect, because it is large.
    private indirect enum Token {
        case status(TokenStatus)
    }

    /// The number in the list, starting at 1.
    package var number: Int
    /// The event that it came with; `nil` if its events are not numbered.
    package var event: EventNumber?
    /// The call.
    package var call: Call
    /// The parts that the answer omitted because they had not changed.
    package private(set) var leftOut: Set<GuardedPart> = []
    private var token: Token?

    /// Creates a listed call.
    package init(_ call: Call, number: Int = 0) { (self.call, self.number) = (call, number) }

    /// Creates a listed call of a completed poll; `nil` if no request was sent for it alone: a page of a search is one call.
    package init?(_ report: PollReport) {
        guard let call = report.call, call.operation != .searchTrips else { return nil }
        self.init(call)
        leftOut = report.leftOut
    }

    /// Returns the listed calls of a completed fetch; none for other events, and if the source was not asked.
    package static func calls(of event: TokenEvent) -> [ListedCall] {
        event.calls.map { call in
            var listed = ListedCall(call)
            if call.operation == .fetchToken { listed.token = .status(event.status) }
            return listed
        }
    }

    /// The status of the token after a fetch; `nil` for other calls.
    package var tokenStatus: TokenStatus? { if case .status(let status) = token { status } else { nil } }
}

extension Call {
    /// The party in lists: the party that the program called, or the party that called another one.
    package var party: Party { self.asker == .program ? self.answerer : self.asker }
}
