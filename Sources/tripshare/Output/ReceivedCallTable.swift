import Canvas
import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripFeed
import TripText

/// Calls as their receiver sees them, one to a line: those that the emulator receives, and those of a log.
///
/// time, who asked, operation and ID, status, duration, token, and why it was refused.
struct ReceivedCallTable {
    private let localizer: Localizer
    /// The widths of the columns; the last column has none.
    private let widths: [Int]

    /// Creates a table with fixed columns, for calls that are yet to come.
    init(_ localizer: Localizer) {
        self.localizer = localizer
        widths = [27, 8, 36, 6, 8, 16]
    }

    /// Creates a table with columns for some calls.
    init(_ calls: [Call], _ localizer: Localizer) {
        self.localizer = localizer
        let rows = [Self.headings(localizer)] + calls.map { Self.cells(of: $0, localizer) }
        widths = (0..<6).map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
    }

    /// The line with the names of the columns.
    var heading: String { line(Self.headings(localizer)) }

    /// Returns the line of a call.
    func line(of call: Call) -> String { line(Self.cells(of: call, localizer)) }

    private func line(_ cells: [String]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: max(0, width - TextWidth.of(cell)))
        }
        return (padded + [cells.last ?? ""]).joined(separator: "  ").trimmingSuffix { $0 == " " }
    }

    private static func headings(_ localizer: Localizer) -> [String] {
        [
            localizer(.callsTime), localizer(.callsParty), localizer(.callsCall), localizer(.columnStatus),
            localizer(.columnTook), localizer(.viewToken), "",
        ]
    }

    private static func cells(of call: Call, _ localizer: Localizer) -> [String] {
        let path = [call.request.method, call.path].compactMap(\.self).joined(separator: " ")
        let what = call.operation == .unknown ? path : "\(call.operation.rawValue) \(call.subject)"
        let notes = [
            call.fault.map { "(\(localizer(.callInjected(name: Printable.clean($0.name, limit: 80)))))" },
            localizer.reason(of: call),
        ]
        return [
            Timestamp.text(call.ended.wall), localizer(call.asker.word), Printable.clean(what, limit: 200),
            call.answer?.status.map(String.init) ?? (call.failure == nil ? "" : "–"),
            call.duration.map(localizer.latency) ?? "",
            call.credential.map { "\($0.kind) \($0.fingerprint)" } ?? "",
            notes.compactMap(\.self).joined(separator: " "),
        ]
    }
}

extension Call {
    /// The path of the URL, or what stands for it.
    fileprivate var path: String {
        guard let scheme = self.request.target.range(of: "://") else { return self.request.target }
        let path = self.request.target[scheme.upperBound...].drop { $0 != "/" }
        return path.isEmpty ? "/" : String(path)
    }
}

extension Localizer {
    /// Returns why a received call was refused: what the answer says, and the rule that the token breaks; `nil` if it succeeded.
    func reason(of call: Call) -> String? {
        guard let failure = call.failure else { return nil }
        let said = failure.answer?.message ?? failure.exchange?.answer?.body?.message ?? failure.answer?.status
        let rule = failure.brokenRule.map { UserMessage($0, localizer: self).what }
        let parts = [said, rule].compactMap(\.self).map { $0.trimmingSuffix { $0 == "." } }
        guard !parts.isEmpty else { return UserMessage(failure, localizer: self).short }
        return Reporter.sanitized(parts.joined(separator: "; "), limit: 500)
    }
}
