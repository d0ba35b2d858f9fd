import Canvas
import Failures
import FleetTokens
import Runtime
import TripFeed
import TripModel
import TripText

/// Calls as a table: time, party, call, status, size, duration, token, and what was sent with the fault that changed the answer.
///
/// For a call that was received or logged, the reason of a refusal ends the line. For a call of this program, the reason follows
/// in lines of its own, with the suspects.
struct CallTable {
    /// The host of the service.
    private(set) var host = ""
    let localizer: Localizer
    /// The widths of the columns; the last column has none.
    private(set) var widths = [27, 8, 36, 6, 8, 8, 16]
}

extension CallTable {
    /// Creates a table with columns for some calls.
    init(_ calls: [ListedCall], host: String, _ localizer: Localizer) {
        self.init(host: host, localizer: localizer)
        let rows = [headings] + calls.map { cells(of: $0, words(for: $0)) }
        widths = widths.indices.map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
    }

    /// The line with the names of the columns.
    var heading: String { line(headings) }

    /// Returns the lines of a call.
    func lines(of call: ListedCall) -> [String] {
        let words = words(for: call)
        let reasons = call.call.asker == .program ? words.message?.lines(localizer) ?? [] : []
        return [line(cells(of: call, words))] + reasons.map { "  \($0)" }
    }

    private func words(for call: ListedCall) -> CallWords { CallWords(call, host: host, localizer: localizer) }

    private func line(_ cells: [String]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: max(0, width - TextWidth.of(cell)))
        }
        return (padded + [cells.last ?? ""]).joined(separator: "  ").trimmingSuffix { $0 == " " }
    }

    private var headings: [String] {
        [
            Text.callsTime, .callsParty, .callsCall, .columnStatus, .callsSize, .columnTook, .viewToken, .requestTitle,
        ].map { localizer($0) }
    }

    private func cells(of listed: ListedCall, _ words: CallWords) -> [String] {
        let call = listed.call
        let sent = [call.request.method, call.request.target].compactMap(\.self).joined(separator: " ")
        let notes = [
            Printable.clean(sent, limit: 300),
            call.fault.map { "(\(localizer(.callInjected(name: Printable.clean($0.name, limit: 80)))))" },
            call.asker == .program ? nil : words.reason,
        ]
        return [
            Timestamp.text(call.ended.wall), words.party,
            Printable.clean(
                [call.operation.rawValue, call.subject].filter { !$0.isEmpty }.joined(separator: " "),
                limit: 200
            ),
            call.status?.name ?? (call.failure == nil ? "" : "–"), call.answer?.bytes.map(localizer.bytes) ?? "",
            call.duration.map(localizer.latency) ?? "",
            call.token.map(String.init) ?? call.credential.map { "\($0.kind) \($0.fingerprint)" } ?? "",
            notes.compactMap(\.self).joined(separator: " "),
        ]
    }
}
