import FleetEmulator
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Demo town", .ends(within: .longTest))
struct TownTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `the embedded file is the one in Assets`() throws {
        #expect(try Data(contentsOf: Self.root.appending(path: "Assets/Town/town.geojson")) == Data(Town.demoGeoJSON))
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the file is what its program writes`() async throws {
        let output = try await PythonProgram.run(".ci/generate-town", ["--print"])
        #expect(output == Data(Town.demoGeoJSON), "run .ci/generate-town and commit the file")
    }

    @Test func `it says that it is invented and lies in its area, far from 0, 0`() throws {
        let file = try #require(JSONValue(Town.demoGeoJSON))
        #expect(file["attribution"]?.string == "\(Town.demo.name) is an invented town")
        for place in Town.demo.places { #expect(Town.isInDemo(place.coordinate), "\(place)") }
        #expect(!Town.isInDemo(Coordinate(latitude: 0, longitude: 0)))
        #expect(!Town.isInDemo(Coordinate(latitude: 51.05, longitude: 3.72)))
    }

    @Test func `every feature has a known class, and every street a name`() throws {
        let classes: Set = [
            "motorway", "trunk", "primary", "secondary", "tertiary", "residential", "service", "path", "rail", "water",
            "waterway", "park", "building", "place", "poi",
        ]
        guard case .array(let features)? = JSONValue(Town.demoGeoJSON)?["features"] else {
            Issue.record("no features")
            return
        }
        var seen: Set<String> = []
        for feature in features {
            let kind = try #require(feature[path: "properties.class"]?.string)
            #expect(classes.contains(kind), "\(kind)")
            seen.insert(kind)
            let isNamed = feature[path: "properties.name"]?.string?.isEmpty == false
            #expect(isNamed || ["rail", "path", "building"].contains(kind), "\(feature)")
            if ["place", "poi"].contains(kind) { #expect(feature[path: "properties.rank"]?.number != nil) }
        }
        #expect(seen == classes)
    }

    @Test func `every place can be reached from every other one`() throws {
        let places = Town.demo.places
        #expect(places.count >= 30 && Set(places.map(\.name)).count == places.count)
        let station = try #require(Town.demo.stop(at: "station"))
        for place in places {
            let stop = try #require(Town.demo.stop(at: place.name))
            #expect(stop.distance(to: place.coordinate).meters < 150, "\(place.name) is far from a street")
            #expect(Town.demo.streets.path(from: station, to: stop) != nil, "to \(place.name)")
            #expect(Town.demo.streets.path(from: stop, to: station) != nil, "from \(place.name)")
        }
        #expect(Town.demo.stop(at: "Nowhere") == nil)
    }

    @Test func `a way leads straight where there are no streets`() {
        let points = [
            Coordinate(latitude: 10, longitude: 20), Coordinate(latitude: 10.01, longitude: 20),
            Coordinate(latitude: 10.01, longitude: 20.01),
        ]
        #expect(Town.demo.way(through: points).points == points)
    }

    @Test func `the service routes any two points near the town along its streets`() throws {
        let scenario = try Scenario.plainRide(seed: 1)
        let (start, end) = (
            Coordinate(latitude: 51.0461, longitude: -30.0173), Coordinate(latitude: 51.0562, longitude: -29.985)
        )
        let drive = scenario.roads.drive(from: start, to: end)
        #expect(drive.path.count > 10 && drive.path.first == start && drive.path.last == end)
        #expect(drive.distance.meters > start.distance(to: end).meters)
        #expect((5...14).contains(drive.distance.meters / drive.duration.seconds))
    }
}
