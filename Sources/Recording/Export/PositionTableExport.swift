import Foundation
import TripModel

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
