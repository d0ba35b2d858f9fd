package import Failures
package import TripFeed

/// A page of a search for the trips of a project: the request and its answer as received, or why it failed.
package struct RecordedSearch: Sendable, Equatable, Codable {
    /// The call, without its failure, which is ``failure``; `nil` if none was made, because there was no token or because of an
    /// injected fault.
    package var call: Call?
    /// When the request began, before it had a token; `nil` if ``call`` says it.
    package var started: RecordedMoment?
    /// When the outcome was known; `nil` if ``call`` says it.
    package var finished: RecordedMoment?
    /// Why it failed; `nil` if it succeeded.
    package var failure: Failure?
    /// Whether the user asked for a list of trips; `nil` if the trips of the project are followed by the search.
    package var requested: Bool?

    /// Converts an event.
    package init(_ search: SearchEvent) {
        (call, failure) = (search.call, search.failure)
        if search.isRequested { requested = true }
        if call?.failure != nil { call?.failure = nil }
        if call?.started != search.started { started = RecordedMoment(search.started) }
        if call?.ended != search.finished { finished = RecordedMoment(search.finished) }
    }

    /// The event; `nil` if its times are invalid.
    var event: SearchEvent? {
        guard let started = started?.moment ?? call?.started, let finished = finished?.moment ?? call?.ended else {
            return nil
        }
        var call = call
        if let failure { call?.failure = failure }
        return SearchEvent(
            call,
            started: started,
            finished: finished,
            failure: failure,
            isRequested: requested ?? false
        )
    }
}
