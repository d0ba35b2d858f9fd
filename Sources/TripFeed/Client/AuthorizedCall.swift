import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripModel

/// One authorized request to the service and its answer.
struct AuthorizedCall: Sendable {
    let started: Moment
    var finished: Moment
    /// The duration in real time, excluding the wait for a token.
    var latency = Duration.zero
    /// The token; `nil` if there was none.
    var token: BearerToken?
    /// The answer, without tokens if it is about one trip; `nil` if there was none.
    var answer: FleetAnswer?
    /// Whether the body of the answer was searched for tokens.
    var isClean = false
    /// The size of the body in bytes before it was redacted.
    var receivedBytes = 0
    /// The reason why there is no answer.
    var failure: Failure?
    /// What was sent and what came back; `nil` if nothing was sent or the transport does not describe it.
    var exchange: Exchange? {
        if let failure, !failure.isMissingToken { failure.exchange } else { answer?.exchange }
    }

    init(started: Moment) { (self.started, finished) = (started, started) }

    /// Returns the record of the call.
    ///
    /// - Parameters:
    ///   - content: What was asked for.
    ///   - endpoint: The service.
    ///   - failure: Why the call failed; `nil` if it succeeded.
    /// - Returns: The record; `nil` if nothing was sent.
    func record(of content: FleetCall, at endpoint: ServiceEndpoint, failure: Failure?) -> Call? {
        guard failure?.isSent ?? true else { return nil }
        return Call(
            content.operation,
            about: content.journey?.journey.name ?? "",
            content.request(at: endpoint),
            received,
            started: started,
            ended: finished,
            duration: latency,
            token: token?.generation,
            failure: failure,
            fault: exchange?.fault
        )
    }

    /// The stored part of the answer.
    private var received: Call.Answer? {
        guard let answer else { return nil }
        let response = answer.response
        return Call.Answer(
            status: response.status,
            grpcStatus: answer.remote?.status.rawValue,
            shown: answer.exchange?.answer?.headers ?? Call.Answer.shown(response.headers),
            body: isClean
                ? StoredBody(response.body, ofSize: receivedBytes)
                : StoredBody(redacting: response.body, ofSize: receivedBytes, isRefusal: response.status >= 300),
            bytes: answer.remote.map { $0.messageBytes ?? 0 } ?? receivedBytes
        )
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
    /// time or was too slow for a comparison.
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
