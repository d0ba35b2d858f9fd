import Failures
import FleetWire
import Runtime
import TripFeed
import TripModel
import TripText

/// A failed search of `watch --all`.
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

    init(_ search: SearchFailure, in provider: ProviderID, host: String, now: Moment) {
        time = Timestamp.text(now.wall)
        started = Timestamp.text(search.started.wall)
        (httpStatus, grpcStatus) = search.failure.status.numbers
        code = search.failure.nameInJSON
        message = search.failure.detail.map(Cause.shown)
        cause = search.failure.history.refusal.map(Cause.init)
        let sentence = UserMessage(search.failure, searching: provider, host: host)
        (failure, party, advice) = (sentence.what, sentence.party?.rawValue, sentence.advice)
        suspects = SuspectLine.all(sentence.suspects)
        injected = InjectedFaultLine(search.failure.injected)
    }
}
