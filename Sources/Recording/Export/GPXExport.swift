import Foundation
import Runtime
import TripModel

/// GPX 1.1: tracks with times, routes and stops of all trips, for navigation and sports programs.
package struct GPXExport: RecordingExporter {
    private var tracks = TripTracks()

    /// Creates an empty export.
    package init() {}

    package mutating func handle(_ event: RecordedSession.Event) { tracks.handle(event) }

    package func finished() throws(ExportFailure) -> [UInt8] {
        guard !tracks.isEmpty else { throw .noPlaces }
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="tripshare" xmlns="http://www.topografix.com/GPX/1/1">

            """
        if let start = tracks.tracks.map(\.start).min() {
            text += "<metadata><time>\(Timestamp.text(start))</time></metadata>\n"
        }
        // The schema requires this order: all waypoints, all routes, all tracks.
        for track in tracks.tracks { for stop in track.stops { text += Self.waypoint(stop, of: track.journey) } }
        for track in tracks.tracks { for route in track.routes { text += Self.route(route, of: track.journey) } }
        for track in tracks.tracks where !track.points.isEmpty { text += Self.track(track) }
        return Array((text + "</gpx>\n").utf8)
    }

    private static func waypoint(_ stop: TripTracks.Stop, of journey: JourneyID) -> String {
        let time = stop.time.map { "<time>\(Timestamp.text($0))</time>" } ?? ""
        let name = "<name>\(escaped(stop.name))</name><desc>\(escaped(journey.name))</desc>"
        return "<wpt \(place(stop.coordinate))>\(time)\(name)</wpt>\n"
    }

    private static func route(_ route: TripTracks.PlannedRoute, of journey: JourneyID) -> String {
        let points = route.points.map { "<rtept \(place($0))/>\n" }.joined()
        return "<rte><name>\(escaped(journey.name)) \(escaped(route.status.name))</name>\n\(points)</rte>\n"
    }

    private static func track(_ track: TripTracks.Track) -> String {
        // Programs compute speeds from successive times, so a late measurement must not go back in time.
        let points = track.points.sorted { $0.time < $1.time }.map {
            "<trkpt \(place($0.coordinate))><time>\(Timestamp.text($0.time))</time></trkpt>\n"
        }
        let name = "<name>\(escaped(track.journey.name))</name><type>\(escaped(track.status.name))</type>"
        return "<trk>\(name)<trkseg>\n\(points.joined())</trkseg></trk>\n"
    }

    private static func place(_ coordinate: Coordinate) -> String {
        // The schema excludes 180° east, which is the same meridian as 180° west.
        let longitude = coordinate.longitude.degrees
        return "lat=\"\(decimal(coordinate.latitude.degrees))\" lon=\"\(decimal(longitude == 180 ? -180 : longitude))\""
    }

    /// Returns a decimal without an exponent, which `xsd:decimal` does not allow.
    private static func decimal(_ degrees: Double) -> String {
        let text = String(degrees)
        return text.contains("e") ? String(format: "%.7f", degrees) : text
    }

    private static func escaped(_ text: String) -> String {
        ExportText.short(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
