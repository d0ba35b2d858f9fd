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
