import Canvas
import Foundation
import Testing
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Base map", .ends(within: .quickTest))
struct BasemapTests {
    private func map(_ text: String) throws(BasemapProblem) -> Basemap {
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

    @Test func `draws streets dim and below everything of the trip`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        let bare = view(state)
        #expect(state.update(.basemap(try streets())).isEmpty)
        let canvas = view(state)
        #expect(canvas.cells.contains { $0.role == .basemap })
        let below: Set<Role> = [.basemap, .roadName, .graticule, .accuracy, .grid]
        for (before, after) in zip(bare.cells, canvas.cells) where after != before {
            #expect(below.contains(before.role) || before.text == " ", "\(before) \(after)")
            #expect(below.contains(after.role) || after.text == " ", "\(before) \(after)")
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
        // Half blocks and characters cannot be faint.
        for level in [GlyphSet.Level.blocks, .ascii] { #expect(try dots(city, level).isEmpty) }
    }

    @Test func `without colors, streets are dotted and the route is solid`() throws {
        let streets = try streets()
        func bits(_ theme: String) throws -> (road: Double, route: Double) {
            var state = try Ride().screen(at: 105, width: 120, height: 40)
            state.display.theme = theme
            _ = state.update(.basemap(streets))
            func mean(_ role: Role) -> Double {
                let cells = view(state).cells.filter { $0.role == role }.compactMap(\.text.unicodeScalars.first?.value)
                let dots = cells.filter { (0x2800...0x28FF).contains($0) }.map { ($0 & 0xFF).nonzeroBitCount }
                return Double(dots.reduce(0, +)) / Double(max(1, dots.count))
            }
            return (mean(.basemap), mean(.routeRemaining))
        }
        let (dark, mono) = try (bits("dark"), bits(State.monochromeTheme))
        #expect(dark.road > 0 && mono.road < dark.road * 0.7, "\(dark) \(mono)")
        #expect(mono.route == dark.route)
    }

    @Test func `without colors, water has its own sign and no shores of dots`() throws {
        let river = try map(
            #"{"type":"Feature","properties":{"class":"water"},"geometry":{"type":"Polygon","coordinates":"#
                + #"[[[13.37,52.505],[13.40,52.505],[13.40,52.53],[13.37,52.53],[13.37,52.505]]]}}"#
        )
        func water(_ theme: String) throws -> [String] {
            var state = try Ride().screen(at: 105, width: 120, height: 40)
            state.display.theme = theme
            _ = state.update(.basemap(river))
            return view(state).cells.filter { $0.role == .water }.map(\.text)
        }
        let (dark, mono) = try (water("dark"), water(State.monochromeTheme))
        #expect(mono.count > 20 && Set(mono) == ["~"], "\(Set(mono))")
        #expect(dark.contains("⠒"))
    }

    @Test func `says that a base map has nothing near the trip, once`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        let elsewhere = try map(#"{"type":"LineString","coordinates":[[-70.5,-33.4],[-70.6,-33.5]]}"#)
        #expect(state.update(.basemap(elsewhere)).isEmpty)
        #expect(state.message == "The base map has nothing near this trip.")
        _ = state.update(.key(.character("1")))
        #expect(state.message == nil)
        _ = state.update(.basemap(try streets()))
        #expect(state.message == nil)
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
