import Foundation
import Testing
import TripTestSupport

@testable import TripScreen

@Suite("GeoJSON", .ends(within: .quickTest))
struct GeoJSONTests {
    private func map(_ text: String) throws(BasemapProblem) -> Basemap {
        try Basemap(geoJSON: Data(text.utf8))
    }

    private func tile(_ text: String) throws -> MapTile {
        let map = try map(text)
        return try #require(map.drawn(map.needed(in: .init(bounds: .world, scale: 1000))).first)
    }

    private func feature(_ geometry: String, _ properties: String) -> String {
        #"{"type":"Feature","properties":\#(properties),"geometry":\#(geometry)}"#
    }

    private static let line = #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#
    private static let square = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}"#

    @Test func `takes lines and outlines from every kind of geometry`() throws {
        let all = [Self.line, Self.square].joined(separator: ",")
        let text = """
            {"type":"FeatureCollection","features":[
              {"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[\(all)]}},
              {"type":"Feature","properties":null,
               "geometry":{"type":"MultiLineString","coordinates":[[[1,2],[2,2]],[[5,5],[6,6]]]}},
              {"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}},
              {"type":"Feature","geometry":null}]}
            """
        let tile = try tile(text)
        #expect(tile.lines.count == 5 && tile.lines.allSatisfy { $0.kind == .other } && tile.areas.isEmpty)
    }

    @Test(arguments: [
        "motorway", "trunk", "primary", "secondary", "tertiary", "residential", "service", "path", "rail", "waterway",
    ])
    func `the property class decides how a line is drawn`(_ name: String) throws {
        let tile = try tile(feature(Self.line, #"{"class":"\#(name)","name":"Hill Road"}"#))
        #expect(tile.lines.map { "\($0.kind)" } == [name] && tile.lines[0].name == "Hill Road")
    }

    @Test(arguments: [("water", [MapClass.shore]), ("park", []), ("building", [.building])])
    func `water, parks and buildings are areas`(_ example: (name: String, edges: [MapClass])) throws {
        let tile = try tile(feature(Self.square, #"{"class":"\#(example.name)"}"#))
        #expect(tile.areas.map { "\($0.kind)" } == [example.name])
        #expect(tile.lines.map(\.kind) == example.edges)
    }

    @Test func `places have a name and a rank, important ones first`() throws {
        let points = [("village", 3), ("station", 1), ("town", 1)].map { name, rank in
            let kind = name == "station" ? "poi" : "place"
            let properties = #"{"class":"\#(kind)","name":"\#(name)","rank":\#(rank)}"#
            return feature(#"{"type":"Point","coordinates":[1,2]}"#, properties)
        }
        let features = (points + [feature(Self.line, "{}")]).joined(separator: ",")
        let tile = try tile(#"{"type":"FeatureCollection","features":[\#(features)]}"#)
        #expect(tile.labels.map(\.name) == ["town", "village", "station"])
    }

    @Test func `shows who made the data, as plain text`() throws {
        let text =
            #"{"type":"FeatureCollection","attribution":"<b>&copy; Mapmakers</b>","features":[\#(feature(Self.line, "{}"))]}"#
        #expect(try Basemap(geoJSON: Data(text.utf8)).attribution == "© Mapmakers")
        let other = text.replacing(#""<b>&copy; Mapmakers</b>""#, with: "7")
        #expect(try Basemap(geoJSON: Data(other.utf8)).attribution.isEmpty)
    }

    @Test func `ignores properties of other types`() throws {
        let tile = try tile(feature(Self.line, #"{"class":7,"name":["x"],"rank":"high"}"#))
        #expect(tile.lines.map(\.kind) == [.other] && tile.lines[0].name.isEmpty)
    }

    @Test func `retains a line across the date line in one piece`() throws {
        let tile = try tile(#"{"type":"LineString","coordinates":[[179.9,-17],[-179.9,-17.1]]}"#)
        let line = try #require(tile.lines.first)
        #expect(abs(line.bounds.high.x - line.bounds.low.x) < 0.001)
    }

    @Test(arguments: [
        ("", BasemapProblem.notGeoJSON), ("[]", .notGeoJSON), (#"{"type":"LineString"}"#, .notGeoJSON),
        (#"{"type":"LineString","coordinates":[["a","b"]]}"#, .notGeoJSON),
        (#"{"type":"Topology","arcs":[]}"#, .unknownType("Topology")),
        (#"{"type":"LineString","coordinates":[[392000,5820000],[392001,5820001]]}"#, .notDegrees(392_000, 5_820_000)),
        (#"{"type":"LineString","coordinates":[[1,2],[13.4,91]]}"#, .notDegrees(13.4, 91)),
        (#"{"type":"FeatureCollection","features":[]}"#, .empty), (#"{"type":"Point","coordinates":[1,2]}"#, .empty),
        (#"{"type":"LineString","coordinates":[[1,2]]}"#, .empty),
    ])
    func `reports what is wrong with a file`(_ example: (text: String, problem: BasemapProblem)) {
        #expect(throws: example.problem) { try map(example.text) }
    }

    @Test func `refuses more points than fit into the time of a frame`() {
        let points = Array(repeating: "[1,2]", count: Basemap.maximumPoints + 1).joined(separator: ",")
        #expect(throws: BasemapProblem.tooManyPoints) {
            try map(#"{"type":"LineString","coordinates":[\#(points)]}"#)
        }
    }

    @Test func `refuses deep nesting instead of overflowing the stack`() {
        let deep = String(repeating: #"{"type":"Feature","geometry":"#, count: 100_000)
        #expect(throws: BasemapProblem.notGeoJSON) { try map(deep) }
    }

    @Test(arguments: [
        "NaN", "nan", "Infinity", "-Infinity", "1e999", "-1e999", "1e308", "-1e308", "1e-320", "0x1p3", "\"NaN\"",
        "\"1e308\"", "null",
    ])
    func `draws only points that a number describes`(_ number: String) throws {
        for shape in [
            #"{"type":"LineString","coordinates":[[1,2],[N,4],[5,6]]}"#,
            #"{"type":"LineString","coordinates":[[1,2],[3,N],[5,6]]}"#,
            #"{"type":"Polygon","coordinates":[[[0,0],[1,N],[1,1],[0,1],[0,0]]]}"#,
        ] {
            let text = feature(shape.replacing("N", with: number), #"{"name":"A"}"#)
            // A file with such a number is refused, or what it describes is left out.
            guard let map = try? map(text) else { continue }
            for tile in map.drawn(map.needed(in: .init(bounds: .world, scale: 1000))) {
                let points = tile.lines.flatMap(\.points) + tile.areas.flatMap(\.rings).flatMap(\.self)
                #expect(points.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) }, "\(text)")
            }
        }
    }
}
