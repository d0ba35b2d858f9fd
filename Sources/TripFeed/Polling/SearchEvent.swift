package import Failures
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
    /// Whether the user asked for a list of trips; the trips of the project are not followed by it.
    package private(set) var isRequested: Bool

    /// Creates an event.
    package init(_ call: Call?, started: Moment, finished: Moment, failure: Failure?, isRequested: Bool = false) {
        (self.call, self.started, self.finished, self.failure) = (call, started, finished, failure)
        self.isRequested = isRequested
    }

    /// Creates the event of a request.
    package init(_ report: SearchReport) {
        self.init(report.call, started: report.started, finished: report.finished, failure: report.failure)
    }

    /// The event, marked as belonging to a search that the user asked for.
    package var requested: SearchEvent {
        var event = self
        event.isRequested = true
        // A repetition has its own cause.
        if event.call?.cause == nil { event.call?.cause = .requested }
        return event
    }
}
