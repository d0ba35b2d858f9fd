import Canvas
import FleetTokens
import FleetWire
import Recording
import TripFeed
import TripModel
import TripText

/// The calls of a session as a table: time, party, status, size, duration, token, call, and below it why it failed.
struct CallTable {
    private let calls: [RecordedCall]
    private let host: String
    private let localizer: Localizer

    init(_ calls: [RecordedCall], host: String, localizer: Localizer) {
        (self.calls, self.host, self.localizer) = (calls, host, localizer)
    }

    /// The lines, with headings; one sentence if there is no call.
    var lines: [String] {
        guard !calls.isEmpty else { return [localizer(.callsNone)] }
        let headings = [
            localizer(.callsTime), localizer(.callsParty), localizer(.columnStatus), localizer(.callsSize),
            localizer(.columnTook), localizer(.callsToken), localizer(.callsCall),
        ]
        let rows = [headings] + calls.map(cells)
        let widths = headings.indices.map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
        return rows.enumerated().flatMap { index, row in
            let line = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - TextWidth.of(cell)))
            }
            let failure = index > 0 ? calls[index - 1].message(host: host, localizer) : nil
            let reasons = failure.map { $0.lines(localizer).map { "  \($0)" } } ?? []
            return [line.joined(separator: "  ").trimmingSuffix { $0 == " " }] + reasons
        }
    }

    private func cells(_ call: RecordedCall) -> [String] {
        [
            Timestamp.text(call.time), localizer(call.party == .service ? .callsService : .callsTokens),
            call.status?.name ?? (call.failure == nil ? "" : "–"), call.bytes.map(localizer.bytes) ?? "",
            call.duration.map(localizer.latency) ?? "", call.token.map(String.init) ?? "",
            Printable.clean([call.method, call.target].compactMap(\.self).joined(separator: " "), limit: 300),
        ]
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

    init(_ call: RecordedCall, host: String) {
        time = Timestamp.text(call.time)
        party = call.party.rawValue
        (id, method, target) = (call.subject, call.method, call.target)
        outcome = call.failure == nil ? "ok" : "error"
        (httpStatus, grpcStatus) = call.status.numbers
        (bytes, token) = (call.bytes, call.token)
        latencyMs = call.duration.map { ($0.seconds * 10_000).rounded() / 10 }
        switch call.failure {
        case .poll(let failure)?: code = failure.code
        case .fetch(let error, _)?: code = error.code
        case nil: return
        }
        guard let message = call.message(host: host, .english) else { return }
        (failure, advice) = (message.what, message.advice)
        suspects = SuspectLine.all(message.suspects)
    }
}

extension RecordedCall {
    /// The message about its failure; `nil` if it succeeded.
    fileprivate func message(host: String, _ localizer: Localizer) -> UserMessage? {
        switch failure {
        case .poll(let failure)?: UserMessage(failure, id: subject, host: host, localizer: localizer)
        case .fetch(let error, let status)?:
            UserMessage(
                error,
                status,
                for: localizer(.tripSubject, ["trip": Reporter.sanitized(subject, limit: 64)]),
                localizer: localizer
            )
        case nil: nil
        }
    }
}
