import Failures
import FleetTokens
import FleetWire
import Runtime
import TripFeed
import TripText

/// A call as its receiver sees it, as a line of JSON.
struct ReceivedCallLine: Encodable {
    /// A token, without the token.
    struct Credential: Encodable {
        var kind: String
        var fingerprint: String
    }

    var type = "call"
    var time: String
    /// Who asked: `rider`, `driver`, `backend`, or `client` if that is unknown.
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
    var credential: Credential?
    var code: String?
    /// Why it was refused.
    var reason: String?
    /// The rule that the token breaks.
    var rule: String?
    /// The injected fault.
    var injected: InjectedFaultLine?

    init(_ call: Call) {
        time = Timestamp.text(call.ended.wall)
        (from, to) = (call.asker.rawValue, call.answerer.rawValue)
        operation = call.operation == .unknown ? nil : call.operation.rawValue
        id = call.subject.isEmpty ? nil : call.subject
        (method, target) = (call.request.method, call.request.target)
        outcome = call.failure == nil ? "ok" : "error"
        grpcStatus = call.answer?.grpcStatus
        httpStatus = grpcStatus == nil ? call.answer?.status : nil
        bytes = call.answer?.bytes
        latencyMs = call.duration.map { ($0.seconds * 10_000).rounded() / 10 }
        credential = call.credential.map { Credential(kind: $0.kind, fingerprint: $0.fingerprint) }
        code = call.failure?.nameInJSON
        reason = Localizer.english.reason(of: call)
        rule = call.failure?.brokenRule?.rule.rawValue
        injected = InjectedFaultLine(call.fault)
    }
}
