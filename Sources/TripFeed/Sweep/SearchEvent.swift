package import Failures
package import FleetWire
package import Runtime

/// A completed request for a page of the trips of a project: one call, and why it failed if it did.
///
/// The polls of the trips that the page lists have no calls of their own.
package struct SearchEvent: Sendable, Equatable {
    /// The request and what came back; `nil` if nothing was sent.
    package var call: Call?
    /// When the request began, before it had a token.
    package let started: Moment
    /// When its outcome was known.
    package let finished: Moment
    /// Why it failed; `nil` if it succeeded.
    package let failure: Failure?

    /// Creates an event.
    package init(_ call: Call?, started: Moment, finished: Moment, failure: Failure?) {
        (self.call, self.started, self.finished, self.failure) = (call, started, finished, failure)
    }

    /// Creates the event of a request.
    package init(_ report: SearchReport) {
        self.init(report.call, started: report.started, finished: report.finished, failure: report.failure)
    }
}
