import Canvas
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

/// The names of streets and places, and arrows at the border.
@Suite("Map labels", .ends(within: .quickTest))
struct MapLabelTests {
    private static let rect = Rect(x: 0, y: 0, width: 60, height: 20)
    private static let metersPerDot = 4.0

    /// Returns a feature whose points are at a distance in dots from the middle of the map, to the right and downwards.
    private func feature(_ geometry: String, _ points: [(Double, Double)], _ properties: String) -> String {
        // The middle is at latitude 0 and longitude 0.
        let degreesPerDot = Self.metersPerDot / (Coordinate.earthRadius * .pi / 180)
        let places = points.map { "[\($0 * degreesPerDot),\(-$1 * degreesPerDot)]" }
        let coordinates = geometry == "Point" ? places[0] : "[\(places.joined(separator: ","))]"
        return #"{"type":"Feature","properties":{\#(properties)},"geometry":{"type":"\#(geometry)","#
            + #""coordinates":\#(coordinates)}}"#
    }

    /// Draws features on the map of a trip that has only a pickup, usually outside the map.
    private func picture(
        _ features: [String],
        pickup: Coordinate = Coordinate(latitude: 1, longitude: 1)
    ) throws -> Canvas {
        var trip = try Ride().trip(at: 105)
        (trip.pickup, trip.actualPickup, trip.dropoff, trip.actualDropoff) = (pickup, nil, nil, nil)
        (trip.route, trip.traffic, trip.lastLocation) = (nil, nil, nil)
        (trip.intermediateDestinations, trip.remainingWaypoints) = ([], [])
        var state = TripState(id: .trip(trip.id))
        state.merge(.trip(trip), serverDate: nil, at: Ride.moment(105))
        let picture = MapPicture(of: state)
        let middle = MapPoint(Coordinate(latitude: 0, longitude: 0), near: 0)
        let scale = 1 / (picture.unitsPerMeter * Self.metersPerDot)
        let text = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
        var canvas = Canvas(width: Self.rect.width, height: Self.rect.height)
        MapView(
            picture: picture,
            isStale: false,
            camera: MapCamera(fitting: [middle], in: Self.rect, closest: scale),
            basemap: try Basemap(geoJSON: Data(text.utf8))
        )
        .draw(on: &canvas, in: Self.rect)
        return canvas
    }

    @Test(arguments: [(1.0, 1.0), (1.0, -1.0), (0.5, 1.0)])
    func `a diagonal street has its name across it`(_ slope: (x: Double, y: Double)) throws {
        let ends = [(-30 * slope.x, -30 * slope.y), (30 * slope.x, 30 * slope.y)]
        let street = feature("LineString", ends, #""class":"primary","name":"Slope Street""#)
        let rows = try picture([street]).text.split(separator: "\n").map(String.init)
        let named = rows.count { $0.contains("Slope Street") }
        #expect(named == 1, "\(rows.joined(separator: "\n"))")
    }

    @Test func `the name across a diagonal street hides no other street`() throws {
        let diagonals = (-6...6).map { index in
            feature(
                "LineString",
                [(Double(index) * 8 - 60, -60), (Double(index) * 8 + 60, 60)],
                #""class":"primary","name":"Slope Street \#(index + 10)""#
            )
        }
        #expect(try !picture(diagonals).text.contains("Slope"))
    }

    @Test func `a town whose middle is hidden by the trip has its name above or below`() throws {
        let town = feature("Point", [(0, 0)], #""class":"place","name":"Averholm","rank":1"#)
        let pickup = Coordinate(latitude: 0, longitude: 0)
        let street = feature("LineString", [(-50, 30), (50, 30)], #""class":"primary""#)
        let rows = try picture([town, street], pickup: pickup).text.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let row = try #require(rows.firstIndex { $0.contains("Averholm") })
        #expect((8...12).contains(row) && row != 10)
    }

    @Test func `an arrow to a place outside is not directly beside the label of another one`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        for key in "zzzzzzzzz" { #expect(state.update(.key(.character(key))).isEmpty) }
        let labels = ["Pickup", "Drop-off", "Vehicle"]
        let rows = view(state).text.split(separator: "\n").map(String.init)
        #expect(labels.filter { label in rows.contains { $0.contains(label) } }.count >= 2)
        for row in rows {
            for label in labels {
                for arrow in "↑↗→↘↓↙←↖" {
                    #expect(!row.contains("\(label)\(arrow)") && !row.contains("\(arrow)\(label)"), "\(row)")
                }
            }
        }
    }

    @Test func `the part of streets outside the map does not make it dense`() throws {
        func streets(length: Double) -> [String] {
            (-8...8).map { row in
                feature(
                    "LineString",
                    [(-length, Double(row) * 4), (length, Double(row) * 4)],
                    #""class":"residential""#
                )
            }
        }
        let (short, long) = try (picture(streets(length: 70)), picture(streets(length: 5000)))
        #expect(short.cells.contains { $0.role == .basemap })
        #expect(short.text == long.text)
    }
}
