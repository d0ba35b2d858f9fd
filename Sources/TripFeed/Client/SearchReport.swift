package import Failures
package import FleetWire
package import Foundation
package import Runtime

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
