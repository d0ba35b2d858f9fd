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

/// Pages of searches in recordings. The call has no failure, which is `failure`; a time is absent if the call has it.
extension SearchEvent: Codable {
    private enum Key: String, CodingKey {
        case call, started, finished, failure, requested
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        var call = try values.decodeIfPresent(Call.self, forKey: .call)
        let failure = try values.decodeIfPresent(Failure.self, forKey: .failure)
        if let failure { call?.failure = failure }
        func moment(_ key: Key, of call: Moment?) throws -> Moment {
            let recorded = try values.decodeIfPresent(RecordedMoment.self, forKey: key)?.moment
            guard let moment = recorded ?? call else {
                throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "no valid time")
            }
            return moment
        }
        self.init(
            call,
            started: try moment(.started, of: call?.started),
            finished: try moment(.finished, of: call?.ended),
            failure: failure,
            isRequested: try values.decodeIfPresent(Bool.self, forKey: .requested) ?? false
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        var call = call
        if call?.failure != nil { call?.failure = nil }
        try values.encodeIfPresent(call, forKey: .call)
        if call?.started != started { try values.encode(RecordedMoment(started), forKey: .started) }
        if call?.ended != finished { try values.encode(RecordedMoment(finished), forKey: .finished) }
        try values.encodeIfPresent(failure, forKey: .failure)
        if isRequested { try values.encode(true, forKey: .requested) }
    }
}
