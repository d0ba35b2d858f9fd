import Canvas
import Failures
import FleetTokens
import FleetWire
import Runtime
import TripFeed
import TripModel
import TripText

/// The calls of a session as a table: time, party, status, size, duration, token, call, and below it why it failed.
struct CallTable {
    private let calls: [ListedCall]
    private let host: String
    private let localizer: Localizer

    init(_ calls: [ListedCall], host: String, localizer: Localizer) {
        (self.calls, self.host, self.localizer) = (calls, host, localizer)
    }

    /// The lines, with headings; one sentence if there is no call.
    var lines: [String] {
        guard !calls.isEmpty else { return [localizer(.callsNone)] }
        let headings = [
            localizer(.callsTime), localizer(.callsParty), localizer(.columnStatus), localizer(.callsSize),
            localizer(.columnTook), localizer(.viewToken), localizer(.callsCall),
        ]
        let rows = [headings] + calls.map(cells)
        let widths = headings.indices.map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
        return rows.enumerated().flatMap { index, row in
            let line = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - TextWidth.of(cell)))
            }
            let failure = index > 0 ? CallWords(calls[index - 1], host: host, localizer: localizer).message : nil
            let reasons = failure.map { $0.lines(localizer).map { "  \($0)" } } ?? []
            return [line.joined(separator: "  ").trimmingSuffix { $0 == " " }] + reasons
        }
    }

    private func cells(_ listed: ListedCall) -> [String] {
        let call = listed.call
        return [
            Timestamp.text(call.ended.wall), CallWords(listed, host: host, localizer: localizer).party,
            call.status?.name ?? (call.failure == nil ? "" : "–"), call.answer?.bytes.map(localizer.bytes) ?? "",
            call.duration.map(localizer.latency) ?? "", call.token.map(String.init) ?? "",
            Printable.clean(
                [call.request.method, call.request.target].compactMap(\.self).joined(separator: " "),
                limit: 300
            )
                + fault(of: call),
        ]
    }

    /// Returns the names of the faults that were injected into a call, in brackets; empty without one.
    private func fault(of call: Call) -> String {
        guard let fault = call.fault else { return "" }
        return " (\(localizer(.callInjected(name: Printable.clean(fault.name, limit: 80)))))"
    }
}

/// A call as a line of JSON.
struct CallLine: Encodable {
    var type = "call"
    var time: String
    var party: String
    /// Who asked: `program` or `driver`.
    var from: String
    /// Who answered: `service` or `tokens`.
    var to: String
    var operation: String
    var id: String
    var method: String?
    var target: String
    var outcome: String
    var httpStatus: Int?
    /// The number of the gRPC status; absent over REST.
    var grpcStatus: Int?
    var bytes: Int?
    var latencyMs: Double?
    var token: Int?
    /// Why it was made: `needed`, `ahead`, `rejected`, `requested` or `retry`; absent if its time had come.
    var trigger: String?
    var code: String?
    var failure: String?
    var suspects: [SuspectLine]?
    var advice: String?
    /// The injected fault.
    var injected: InjectedFaultLine?

    init(_ listed: ListedCall, host: String) {
        let call = listed.call
        time = Timestamp.text(call.ended.wall)
        party = call.party.rawValue
        (from, to) = (call.asker.rawValue, call.answerer.rawValue)
        operation = call.operation.rawValue
        (id, method, target) = (call.subject, call.request.method, call.request.target)
        outcome = call.failure == nil ? "ok" : "error"
        (httpStatus, grpcStatus) = call.status.numbers
        (bytes, token, trigger) = (call.answer?.bytes, call.token, call.cause?.rawValue)
        latencyMs = call.duration.map { ($0.seconds * 10_000).rounded() / 10 }
        code = call.failure?.nameInJSON
        injected = InjectedFaultLine(call.fault)
        guard let message = CallWords(listed, host: host, localizer: .english).message else { return }
        (failure, advice) = (message.what, message.advice)
        suspects = SuspectLine.all(message.suspects)
    }
}
