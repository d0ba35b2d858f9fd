import Failures
import FleetEmulator
import Foundation
import Testing
import TransportLive
import TripModel
import TripTestSupport

@testable import tripshare

/// Readers of files and requests whose numbers ``ExtremeNumbersTests`` does not try.
@Suite("Extreme numbers in other readers", .ends(within: .longTest))
struct ReaderNumberTests {
    /// Whether a text is one of ``ExtremeNumbers/others`` that says that it is no finite number.
    private static let unlimited = ExtremeNumbers.others.filter {
        $0.lowercased().contains("nan") || $0.lowercased().contains("inf") || $0.contains("1e999")
    }

    private static func isFinite(_ points: [Coordinate]) -> Bool {
        points.allSatisfy { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 }
    }

    @Test func `a route has only places on the Earth`() throws {
        let files = [
            #"{"type":"LineString","coordinates":[[3.72,51.06],[3.721,51.055]]}"#,
            "<gpx><trk><trkseg><trkpt lat='51.5' lon='3.25'><ele>3</ele></trkpt><trkpt lat='-48' lon='0'/></trkseg></trk></gpx>",
        ]
        for file in files {
            // Quotes of JSON would end the attributes of GPX.
            let forms =
                ExtremeNumbers.texts
                + ExtremeNumbers.others.map { file.hasPrefix("<") ? $0.replacing("\"", with: "") : $0 }
            for place in ["51.5", "3.25", "-48", "51.06", "3.72", "3.721", "51.055"] where file.contains(place) {
                for form in forms {
                    let text = file.replacing(place, with: form, maxReplacements: 1)
                    let points = try? RouteFile.points(text)
                    #expect(points.map(Self.isFinite) ?? true, "\(text)")
                    if Self.unlimited.contains(form) { #expect(points == nil, "\(text)") }
                }
            }
            #expect(try RouteFile.points(file).count == 2)
        }
    }

    @Test func `the control API refuses what is no number, and answers afterwards`() async throws {
        let requests = [
            (
                "trips?tripId=new-N",
                #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51,"longitude":3.7}}}"#
            ),
            ("trips?tripId=new-N", #"{"pickup":"Station","dropoff":"Airport","passengers":2}"#),
            ("faults", #"{"on":"engine","kind":"status","status":503,"lasts":20,"count":2}"#),
            ("faults", #"{"on":"engine","kind":"latency","seconds":1}"#),
            ("faults", #"{"on":"credentials","kind":"clock","seconds":7200}"#),
            ("vehicles/vehicle-1:teleport", #"{"latitude":51.04,"longitude":-29.98}"#),
            ("vehicles/vehicle-1:detour", #"{"latitude":51.04,"longitude":-29.98}"#),
            ("clock", #"{"paused":false,"speed":2,"stepSeconds":1}"#),
        ]
        try await EmulatedEngine.run([]) { _, ready in
            let control = try #require(ready["controlURL"] as? String)
            try await withLiveHTTPTransport { transport in
                func status(_ method: String, _ path: String, _ body: String) async throws -> Int {
                    try await transport.send(
                        HTTPTransportRequest(
                            method: method,
                            url: "\(control)/\(path)",
                            headers: [("content-type", "application/json")],
                            body: Array(body.utf8),
                            timeout: .testTimeout
                        )
                    ).status
                }
                var number = 0
                for (path, body) in requests {
                    for place in ExtremeNumbers.places(in: Array(body.utf8)) {
                        for form in ExtremeNumbers.texts + ExtremeNumbers.others {
                            number += 1
                            let bytes = Array(body.utf8)
                            let text = String(
                                decoding: bytes[..<place.range.lowerBound] + Array(form.utf8)
                                    + bytes[place.range.upperBound...],
                                as: UTF8.self
                            )
                            let code = try await status("POST", path.replacing("N", with: "\(number)"), text)
                            #expect([200, 400].contains(code), "\(path) \(text): \(code)")
                            if Self.unlimited.contains(form) { #expect(code == 400, "\(path) \(text)") }
                            // A stopped or very late world would delay the next requests.
                            if code == 200, path == "clock" || path == "faults" {
                                _ = try await status("DELETE", "faults", "{}")
                                _ = try await status("POST", "reset", "")
                            }
                        }
                    }
                }
                #expect(try await status("GET", "vehicles/vehicle-1", "") == 200)
            }
        }
    }
}
