package import Failures
package import FleetWire
package import Foundation
package import Runtime
import Transport
import TripModel

/// The measurements and the outcome of one request of SearchTrips.
package struct SearchReport: Sendable {
    /// The request's URL.
    package let url: String
    /// The options with which a command connects as the request did.
    let options: ConnectionOptions?
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
    /// The headers of the answer that identify the server, the content and caches.
    package let headers: [HeaderField]
    /// The service's time when the answer was sent.
    package let serverDate: Date?
    /// The time that the answer spent in caches.
    let cacheAge: Duration
    /// The headers of the cache that sent the answer; `nil` if it is not known to come from a cache.
    let cache: CacheEvidence?
    /// The page or the failure.
    package let outcome: Result<TripPage, Failure>
    /// The fault that was injected into the request; `nil` without one.
    let fault: InjectedFault?
    /// What was sent and what came back instead of a page; `nil` after a success, and if nothing was sent.
    package let exchange: Exchange?

    init(_ call: AuthorizedCall, outcome: Result<TripPage, Failure>) {
        (url, options) = (call.url, call.options)
        started = call.started
        finished = call.finished
        latency = call.latency
        httpStatus = call.answer?.response.status
        remoteCall = call.remoteCall
        grpcStatus = call.answer?.remote?.status
        headers = call.answer.map { PollReport.relevant($0.response.headers) } ?? []
        serverDate = call.serverDate
        cacheAge = call.cacheAge
        cache = call.cache
        self.outcome = outcome
        fault = call.exchange?.fault
        exchange = if case .failure = outcome { call.evidence } else { nil }
    }
}
