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
        let (recorded, trip) = (poll.recorded, poll.state.journey)
        // The answer of a fault that held the request back was not received.
        let answer = poll.isHeldBack ? nil : recorded.answer
        table.append([
            .time(poll.finished.wall), .text(poll.trip.name), .number(poll.isHeldBack ? nil : recorded.latency),
            .integer(answer?.grpc == nil ? answer?.status : nil), .text(poll.failure?.nameInJSON),
            .text(recorded.failure?.detail),
            .integer(answer?.size), .text(trip?.status.name), .text(trip?.vehicleID?.rawValue),
            .time(trip?.etaToFirstWaypoint), .time(trip?.pickupTime), .time(trip?.dropoffTime),
            .number(trip?.remainingDistance?.meters), .number(poll.state.receivedAge(at: poll.finished)?.recorded),
            .number(poll.state.lastAnswer == nil ? nil : poll.state.clockOffset.recorded),
            .text((recorded.fault ?? poll.failure?.injected)?.name),
            .text(recorded.request == nil ? "false" : "true"),
        ])
    }

    package func finished() throws(ExportFailure) -> [UInt8] {
        guard table.rows > 0 else { throw .noPolls }
        return table.bytes
    }
}
