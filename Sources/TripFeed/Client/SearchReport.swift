import FleetTokens
package import FleetWire
package import Foundation
import HTTPTransport
package import TripModel

/// One authorized request to the service and its answer.
struct Exchange: Sendable {
    let url: String
    /// The request over gRPC; `nil` over REST.
    let remoteCall: RemoteCall?
    let started: Moment
    var finished: Moment
    /// The duration in real time, excluding the wait for a token.
    var latency = Duration.zero
    /// The token; `nil` if there was none.
    var token: BearerToken?
    /// The answer, without tokens if it is about one trip; `nil` if there was none.
    var answer: FleetAnswer?
    /// The size of the body in bytes before it was redacted.
    var receivedBytes = 0
    /// The reason why there is no answer.
    var failure: PollFailure?

    init(_ call: FleetCall, at endpoint: ServiceEndpoint, started: Moment) {
        (url, remoteCall) = (call.url(at: endpoint), call.remoteCall(at: endpoint))
        (self.started, finished) = (started, started)
    }

    /// The service's time when the answer was sent, in whole seconds.
    var serverDate: Date? {
        answer.flatMap {
            HTTPDate.timeOfSending(date: $0.response.header("date"), age: $0.response.header("age"))
        }
    }
    /// The time that the answer spent in caches.
    var cacheAge: Duration { .seconds(HTTPDate.seconds(ofAge: answer?.response.header("age"))) }
    /// Whether the service's clock agrees with the local clock; `nil` if the answer is not a good one, has no time or was so slow
    /// that it does not tell.
    var serviceAgrees: Bool? {
        guard let answer, (200..<300).contains(answer.response.status), let serverDate else { return nil }
        // The local clock may have been set during the request.
        let isNear = abs(serverDate.timeIntervalSince(finished.wall)) <= Self.negligibleDifference
        if !isNear, TripState.agrees(serverDate, sent: started.wall, received: finished.wall) { return nil }
        return isNear
    }
    /// Differences of clocks up to this, in seconds, are ignored.
    private static let negligibleDifference = 5.0
    /// The service's time, or the local time if the service sent none.
    var serverNow: Date { serverDate ?? finished.wall }
}

/// The measurements and the outcome of one request of SearchTrips.
package struct SearchReport: Sendable {
    /// The request's URL.
    package let url: String
    /// When the request began, before it had a token.
    package let started: Moment
    /// When the outcome was known.
    package let finished: Moment
    /// The duration of the request in real time.
    package let latency: Duration
    /// The HTTP status, over gRPC that of the same answer over REST; `nil` without an answer.
    package let httpStatus: Int?
    /// The request over gRPC; `nil` over REST.
    package let remoteCall: RemoteCall?
    /// The status of an answer over gRPC; `nil` over REST.
    package let grpcStatus: StatusCode?
    /// The service's time when the answer was sent.
    package let serverDate: Date?
    /// The time that the answer spent in caches.
    let cacheAge: Duration
    /// The page or the failure.
    package let outcome: Result<TripPage, PollFailure>

    init(_ exchange: Exchange, outcome: Result<TripPage, PollFailure>) {
        url = exchange.url
        started = exchange.started
        finished = exchange.finished
        latency = exchange.latency
        httpStatus = exchange.answer?.response.status
        remoteCall = exchange.remoteCall
        grpcStatus = exchange.answer?.remote?.status
        serverDate = exchange.serverDate
        cacheAge = exchange.cacheAge
        self.outcome = outcome
    }
}
