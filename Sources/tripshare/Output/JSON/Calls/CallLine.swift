import Failures
import FleetTokens
import Runtime
import TripFeed
import TripText

/// A call as a line of JSON, from whichever side it was seen.
struct CallLine: Encodable {
    var type = "call"
    var time: String
    /// The party that the program called, or the party that called another one.
    var party: String
    /// Who asked: `program`, or as far as the emulator and a log know it `rider`, `driver`, `backend`, else `client`.
    var from: String
    /// Who answered: `service`, `tokens` or `credentials`.
    var to: String
    var operation: String?
    var id: String?
    var method: String?
    var target: String
    var outcome: String
    var httpStatus: Int?
    /// The number of the gRPC status; absent over REST.
    var grpcStatus: Int?
    var bytes: Int?
    var latencyMs: Double?
    /// The number of the token among the tokens of the session.
    var token: Int?
    /// The token as the emulator sees it, without the token.
    var credential: Call.Credential?
    /// Why it was made: `needed`, `ahead`, `rejected`, `requested` or `retry`; absent if its time had come.
    var trigger: String?
    var code: String?
    /// Why it failed, in English.
    var failure: String?
    /// The rule that the token breaks.
    var rule: String?
    var suspects: [SuspectLine]?
    var advice: String?
    /// The injected fault.
    var injected: InjectedFaultLine?

    init(_ listed: ListedCall, host: String = "") {
        let call = listed.call
        time = Timestamp.text(call.ended.wall)
        (party, from, to) = (call.party.rawValue, call.asker.rawValue, call.answerer.rawValue)
        operation = call.operation == .unknown ? nil : call.operation.rawValue
        id = call.subject.isEmpty ? nil : call.subject
        (method, target) = (call.request.method, call.request.target)
        outcome = call.failure == nil ? "ok" : "error"
        (httpStatus, grpcStatus) = call.status.numbers
        (bytes, token, credential) = (call.answer?.bytes, call.token, call.credential)
        (trigger, injected) = (call.cause?.rawValue, InjectedFaultLine(call.fault))
        latencyMs = call.duration.map { ($0.seconds * 10_000).rounded() / 10 }
        guard let failed = call.failure else { return }
        let words = CallWords(listed, host: host, localizer: .english)
        (code, failure, rule) = (failed.nameInJSON, words.reason, failed.brokenRule?.rule.rawValue)
        guard call.asker == .program, let message = words.message else { return }
        (suspects, advice) = (SuspectLine.all(message.suspects), message.advice)
    }
}
