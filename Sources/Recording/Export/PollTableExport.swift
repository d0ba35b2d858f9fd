import Failures
import Foundation
import Runtime
import TripFeed
import TripModel

/// A table of polls in CSV: one row per poll, with its outcome and what was known afterwards.
package struct PollTableExport: RecordingExporter {
    private var table = CSVTable([
        "time", "trip", "latencySeconds", "httpStatus", "error", "message", "bytes", "tripStatus", "vehicle",
        "etaToFirstWaypoint", "pickupTime", "dropoffTime", "remainingDistanceMeters", "positionAgeSeconds",
        "clockOffsetSeconds", "fault", "sent",
    ])

    /// Creates an empty table.
    package init() {}

    package mutating func handle(_ event: RecordedSession.Event) {
        guard case .poll(let poll) = event else { return }
        let (report, trip) = (poll.report, poll.state.journey)
        let (call, answer, failure) = (report.call, report.answer, report.failure)
        table.append([
            .time(report.finished.wall), .text(report.journey.name),
            .number(failure?.isHeldBack == true ? nil : report.latency.recordedExactly),
            .integer(answer?.grpcStatus == nil ? answer?.status : nil), .text(failure?.nameInJSON),
            .text(failure?.detail), .integer(call?.bodySize), .text(trip?.status.name),
            .text(trip?.vehicleID?.rawValue),
            .time(trip?.etaToFirstWaypoint), .time(trip?.pickupTime), .time(trip?.dropoffTime),
            .number(trip?.remainingDistance?.meters), .number(poll.state.receivedAge(at: report.finished)?.recorded),
            .number(poll.state.lastAnswer == nil ? nil : poll.state.clockOffset.recorded),
            .text((report.fault ?? failure?.injected)?.name), .text(call == nil ? "false" : "true"),
        ])
    }

    package func finished() throws(ExportFailure) -> [UInt8] {
        guard table.rows > 0 else { throw .noPolls }
        return table.bytes
    }
}

extension Call {
    /// The size of the body of the answer in bytes, over gRPC the size of the message as ProtoJSON; `nil` without a body.
    var bodySize: Int? {
        self.request.medium == .grpc ? self.answer?.body?.size : self.answer?.bytes ?? self.answer?.body?.size
    }
}

/// A table of the vehicles' positions in CSV: one row per position.
package struct PositionTableExport: RecordingExporter {
    private var tracks = TripTracks()

    /// Creates an empty table.
    package init() {}

    package mutating func handle(_ event: RecordedSession.Event) { tracks.handle(event) }

    package func finished() throws(ExportFailure) -> [UInt8] {
        var table = CSVTable([
            "trip", "measured", "received", "latitude", "longitude", "heading", "speedMetersPerSecond",
            "accuracyMeters", "sensor", "vehicle", "tripStatus",
        ])
        for track in tracks.tracks {
            for point in track.points {
                let location = point.location
                table.append([
                    .text(track.journey.name), .time(location.measuredTime), .time(location.serverTime),
                    .number(point.coordinate.latitude.degrees), .number(point.coordinate.longitude.degrees),
                    .integer(location.heading), .number(location.speed), .number(location.accuracy),
                    .text(location.sensor), .text(point.vehicle?.rawValue), .text(point.status.name),
                ])
            }
        }
        guard table.rows > 0 else { throw .noPlaces }
        return table.bytes
    }
}

/// A table in CSV (RFC 4180): UTF-8, CRLF, a line with the names of the columns.
struct CSVTable {
    /// A value of a cell.
    enum Cell {
        case empty
        case number(Double)
        case integer(Int)
        case time(Date)
        /// A text of outside.
        case text(String)
    }

    private let columns: [String]
    private var lines: [UInt8]
    private(set) var rows = 0

    /// Creates a table with the names of its columns.
    init(_ columns: [String]) {
        self.columns = columns
        lines = Array((columns.joined(separator: ",") + "\r\n").utf8)
    }

    /// Appends a row with one cell per column.
    mutating func append(_ cells: [Cell]) {
        precondition(cells.count == columns.count, "a row has one cell per column")
        lines += Array((cells.map(\.text).joined(separator: ",") + "\r\n").utf8)
        rows += 1
    }

    /// The bytes of the file.
    var bytes: [UInt8] { lines }
}

extension CSVTable.Cell {
    static func number(_ number: Double?) -> Self { number.map(Self.number) ?? .empty }
    static func integer(_ number: Int?) -> Self { number.map(Self.integer) ?? .empty }
    static func time(_ date: Date?) -> Self { date.map(Self.time) ?? .empty }
    static func text(_ text: String?) -> Self { text.map(Self.text) ?? .empty }

    fileprivate var text: String {
        switch self {
        case .empty: return ""
        case .number(let number):
            return number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
        case .integer(let number): return String(number)
        case .time(let date): return Timestamp.text(date)
        case .text(let text):
            var text = ExportText.short(text)
            // A spreadsheet would evaluate such a text as a formula.
            if let first = text.first, "=+-@".contains(first) { text = "'" + text }
            guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
            return "\"" + text.replacing("\"", with: "\"\"") + "\""
        }
    }
}
