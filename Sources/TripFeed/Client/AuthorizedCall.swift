import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Transport
import TripModel

/// One authorized request to the service and its answer.
struct AuthorizedCall: Sendable {
    let url: String
    /// The options with which a command connects as the request does.
    let options: ConnectionOptions?
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
    var failure: Failure?
    /// What was sent and what came back; `nil` if nothing was sent or the transport does not describe it.
    var exchange: Exchange? {
        if let failure, !failure.isMissingToken { failure.exchange } else { answer?.exchange }
    }

    init(_ call: FleetCall, at endpoint: ServiceEndpoint, started: Moment) {
        (url, options) = (call.url(at: endpoint), endpoint.options)
        remoteCall = call.remoteCall(at: endpoint)
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
    /// The headers of the cache that sent the answer; `nil` if it is not known to come from a cache.
    var cache: CacheEvidence? { answer.flatMap { CacheEvidence($0.response.headers) } }
    /// Whether the service's clock agrees with the local clock; `nil` if the answer is not a good one, comes from a cache, has no
    /// time or was so slow that it does not tell.
    var serviceAgrees: Bool? {
        guard let answer, (200..<300).contains(answer.response.status), cache == nil, let serverDate else { return nil }
        // The local clock may have been set during the request.
        let isNear = abs(serverDate.timeIntervalSince(finished.wall)) <= Self.negligibleDifference
        if !isNear, TripState.agrees(serverDate, sent: started.wall, received: finished.wall) { return nil }
        return isNear
    }
    /// Differences of clocks up to this, in seconds, are ignored.
    private static let negligibleDifference = 5.0
    /// The service's time, or the local time if the service itself sent none.
    var serverNow: Date { cache == nil ? serverDate ?? finished.wall : finished.wall }

    /// What was sent and what came back instead of a usable answer, with the beginning of its body.
    var evidence: Exchange? { exchange?.describing(body: answer?.response.body ?? []) }
}
