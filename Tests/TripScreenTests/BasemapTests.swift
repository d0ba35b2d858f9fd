import Canvas
import Foundation
import Testing
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Base map", .ends(within: .minutes(10)))
struct BasemapTests {
    private func map(_ text: String) throws(Basemap.Problem) -> Basemap {
        try Basemap(geoJSON: Data(text.utf8))
    }

    /// A grid of streets around the ride, a park and a bench.
    private func streets() throws -> Basemap {
        let (south, west) = (Ride.pickup.latitude - 0.02, Ride.pickup.longitude - 0.03)
        let rows = (0..<12).map {
            "[[\(west),\(south + Double($0) * 0.004)],[\(west + 0.09),\(south + Double($0) * 0.004)]]"
        }
        let park = "[[\(west),\(south)],[\(west + 0.02),\(south)],[\(west + 0.02),\(south + 0.02)],[\(west),\(south)]]"
        return try map(
            """
            {"type":"FeatureCollection","features":[
              {"type":"Feature","properties":{"name":"Streets"},"geometry":
                {"type":"MultiLineString","coordinates":[\(rows.joined(separator: ","))]}},
              {"type":"Feature","properties":null,"geometry":{"type":"GeometryCollection","geometries":[
                {"type":"Polygon","coordinates":[\(park)]},{"type":"MultiPolygon","coordinates":[[\(park)]]},
                {"type":"Point","coordinates":[\(west),\(south)]}]}},
              {"type":"Feature","geometry":null}]}
            """
        )
    }

    @Test func `takes lines and outlines from every kind of geometry`() throws {
        #expect(try streets().lineCount == 15 - 1)
    }

    @Test func `draws streets dim and below everything of the trip`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        let bare = view(state)
        #expect(state.update(.basemap(try streets())).isEmpty)
        let canvas = view(state)
        #expect(canvas.cells.contains { $0.role == .basemap })
        for (before, after) in zip(bare.cells, canvas.cells) where after != before {
            #expect(after.role == .basemap && [" ", "⠀"].contains(before.text) || after.role == before.role)
        }
        try ScreenFile(name: "map-streets-120x40").expect(canvas)
    }

    @Test func `draws a whole city sparsely, and with dots in ASCII`() throws {
        let lines = (0..<400).map { "[[13.2,\(52.4 + Double($0) * 0.0005)],[13.6,\(52.4 + Double($0) * 0.0005)]]" }
        let city = try map(#"{"type":"MultiLineString","coordinates":[\#(lines.joined(separator: ","))]}"#)
        func dots(_ map: Basemap, _ level: GlyphSet.Level) throws -> [String] {
            var state = try Ride().screen(at: 105, width: 120, height: 40, glyphs: GlyphSet(level))
            #expect(state.update(.basemap(map)).isEmpty)
            return view(state).cells.filter { $0.role == .basemap }.map(\.text)
        }
        #expect(try Set(dots(streets(), .ascii)) == ["."])
        func bits(_ texts: [String]) -> Int {
            texts.reduce(0) { $0 + (($1.unicodeScalars.first?.value ?? 0) & 0xFF).nonzeroBitCount }
        }
        let (some, many) = try (dots(streets(), .braille), dots(city, .braille))
        #expect(Double(bits(some)) / Double(some.count) > 1.9)
        #expect(!many.isEmpty && Double(bits(many)) / Double(many.count) < 2.2)
    }

    @Test(arguments: [
        ("", Basemap.Problem.notGeoJSON), ("[]", .notGeoJSON), (#"{"type":"LineString"}"#, .notGeoJSON),
        (#"{"type":"LineString","coordinates":[["a","b"]]}"#, .notGeoJSON),
        (#"{"type":"Topology","arcs":[]}"#, .unknownType("Topology")),
        (#"{"type":"LineString","coordinates":[[392000,5820000],[392001,5820001]]}"#, .notDegrees(392_000, 5_820_000)),
        (#"{"type":"LineString","coordinates":[[1,2],[13.4,91]]}"#, .notDegrees(13.4, 91)),
        (#"{"type":"FeatureCollection","features":[]}"#, .empty), (#"{"type":"Point","coordinates":[1,2]}"#, .empty),
        (#"{"type":"LineString","coordinates":[[1,2]]}"#, .empty),
    ])
    func `reports what is wrong with a file`(_ example: (text: String, problem: Basemap.Problem)) {
        #expect(throws: example.problem) { try map(example.text) }
    }

    @Test func `refuses more points than fit into the time of a frame`() {
        let points = Array(repeating: "[1,2]", count: Basemap.mostPoints + 1).joined(separator: ",")
        #expect(throws: Basemap.Problem.tooManyPoints) {
            try map(#"{"type":"LineString","coordinates":[\#(points)]}"#)
        }
    }

    @Test func `refuses deep nesting instead of overflowing the stack`() {
        let deep = String(repeating: #"{"type":"Feature","geometry":"#, count: 100_000)
        #expect(throws: Basemap.Problem.notGeoJSON) { try map(deep) }
    }

    @Test func `keeps a line across the date line in one piece, visible from both sides`() throws {
        let map = try map(#"{"type":"LineString","coordinates":[[179.9,-17],[-179.9,-17.1]]}"#)
        let line = try #require(map.lines.first)
        #expect(abs(line.bounds.high.x - line.bounds.low.x) < 0.001)
        for x in [1.0, 0] {
            var camera = MapCamera(fitting: line.points, in: Rect(x: 0, y: 0, width: 40, height: 20), closest: 1e9)
            camera.center.x = x
            #expect(camera.reaching(line.bounds) != nil)
        }
        var camera = MapCamera(fitting: line.points, in: Rect(x: 0, y: 0, width: 40, height: 20), closest: 1e9)
        camera.center.x = 0.5
        #expect(camera.reaching(line.bounds) == nil)
    }

    @Test func `the command line loads a base map from a file and removes it`() throws {
        var state = try Ride().screen(at: 105)
        func type(_ line: String) -> [Effect] {
            for key in ":" + line { _ = state.update(.key(.character(key))) }
            return state.update(.key(.enter))
        }
        #expect(type("basemap streets.geojson") == [.readBasemap("streets.geojson")])
        #expect(state.message == "Reading the base map")
        #expect(state.update(.basemap(try streets())).isEmpty && state.message == nil)
        #expect(type("basemap off").isEmpty && state.settings.basemap == nil)
        #expect(state.update(.complaint("no\u{1B}[2J such")).isEmpty)
        #expect(view(state).text.contains("such") && !view(state).text.contains("\u{1B}"))
    }
}
