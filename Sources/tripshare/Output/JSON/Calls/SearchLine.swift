import Failures
import Runtime
import TripFeed
import TripModel
import TripText

/// A failed search for the trips of a project.
struct SearchLine: Encodable {
    var type = "search"
    var time: String
    var started: String
    var outcome = "error"
    var httpStatus: Int?
    /// The number of the gRPC status; absent over REST.
    var grpcStatus: Int?
    var code: String
    /// The remote side's message about the failure.
    var message: String?
    /// The underlying failure.
    var cause: Cause?
    /// What failed, the party at fault and what to do, in English.
    var failure: String
    var party: String?
    var suspects: [SuspectLine]?
    var advice: String?
    /// The injected fault that explains the failure.
    var injected: InjectedFaultLine?

    /// Creates the line of a failed search; `nil` for a page.
    init?(_ search: SearchEvent, in provider: ProviderID, host: String, now: Moment) {
        guard let failure = search.failure else { return nil }
        time = Timestamp.text(now.wall)
        started = Timestamp.text(search.started.wall)
        (httpStatus, grpcStatus) = failure.status.numbers
        code = failure.nameInJSON
        message = failure.detail.map(Cause.shown)
        cause = failure.history.refusal.map(Cause.init)
        let sentence = UserMessage(failure, searching: provider, host: host)
        (self.failure, party, advice) = (sentence.what, sentence.party?.rawValue, sentence.advice)
        suspects = SuspectLine.all(sentence.suspects)
        injected = InjectedFaultLine(failure.injected)
    }
}
