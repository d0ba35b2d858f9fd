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
    private let calls: [CallRecord]
    private let host: String
    private let localizer: Localizer

    init(_ calls: [CallRecord], host: String, localizer: Localizer) {
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

    private func cells(_ call: CallRecord) -> [String] {
        [
            Timestamp.text(call.time), CallWords(call, host: host, localizer: localizer).party,
            call.status?.name ?? (call.failure == nil ? "" : "–"), call.bytes.map(localizer.bytes) ?? "",
            call.duration.map(localizer.latency) ?? "", call.token.map(String.init) ?? "",
            Printable.clean([call.method, call.target].compactMap(\.self).joined(separator: " "), limit: 300)
                + fault(of: call),
        ]
    }

    /// Returns the names of the faults that were injected into a call, in brackets; empty without one.
    private func fault(of call: CallRecord) -> String {
        guard let fault = call.fault else { return "" }
        return " (\(localizer(.callInjected(name: Printable.clean(fault.name, limit: 80)))))"
    }
}

/// A call as a line of JSON.
struct CallLine: Encodable {
    var type = "call"
    var time: String
    var party: String
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
    var code: String?
    var failure: String?
    var suspects: [SuspectLine]?
    var advice: String?
    /// The injected fault.
    var injected: InjectedFaultLine?

    init(_ call: CallRecord, host: String) {
        time = Timestamp.text(call.time)
        party = call.party.rawValue
        (id, method, target) = (call.subject, call.method, call.target)
        outcome = call.failure == nil ? "ok" : "error"
        (httpStatus, grpcStatus) = call.status.numbers
        (bytes, token) = (call.bytes, call.token)
        latencyMs = call.duration.map { ($0.seconds * 10_000).rounded() / 10 }
        code = call.failure?.code
        injected = InjectedFaultLine(call.fault)
        guard let message = CallWords(call, host: host, localizer: .english).message else { return }
        (failure, advice) = (message.what, message.advice)
        suspects = SuspectLine.all(message.suspects)
    }
}
