import Canvas
import Foundation
import Testing
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Lines without colors", .ends(within: .quickTest))
struct LineStyleTests {
    /// Returns a ride on a map of important streets.
    private func screen(_ level: GlyphSet.Level) throws -> Canvas {
        let (south, west) = (Ride.pickup.latitude - 0.02, Ride.pickup.longitude - 0.03)
        let rows = (0..<12).map {
            "[[\(west),\(south + Double($0) * 0.004)],[\(west + 0.09),\(south + Double($0) * 0.004)]]"
        }
        let text = """
            {"type":"Feature","properties":{"class":"primary"},
             "geometry":{"type":"MultiLineString","coordinates":[\(rows.joined(separator: ","))]}}
            """
        var state = try Ride().screen(at: 105, width: 120, height: 40, glyphs: GlyphSet(level))
        state.display.theme = State.monochromeTheme
        _ = state.update(.basemap(try Basemap(geoJSON: Data(text.utf8))))
        return view(state)
    }

    private func texts(_ canvas: Canvas, _ roles: Set<Role>) -> [String] {
        canvas.cells.filter { roles.contains($0.role) }.map(\.text)
    }

    @Test func `the way ahead is thick, the driven way is a thin line, and a later leg has long dashes`() {
        let expected: [(MapPicture.Path, String)] = [
            (.remaining, "⠶⠶⠶⠶⠶⠶⠶⠶"), (.driven, "⠒⠒⠒⠒⠒⠒⠒⠒"), (.trail, "⠒⠒⠒⠒⠒⠒⠒⠒"), (.later, "⠒⠒⠒⠒ ⠒⠒⠒"),
            (.slow, "⠶⠶⠆ ⠶⠶⠆"),
            (.jam, "⠶ ⠶ ⠶ ⠶"),
        ]
        for (path, piece) in expected {
            #expect(MapView.piece(of: path, GlyphSet(.braille), isMonochrome: true) == piece)
        }
    }

    @Test func `with large dots and in ASCII, only the way ahead is a line`() {
        func pieces(_ level: GlyphSet.Level) -> [String] {
            [MapPicture.Path.remaining, .driven, .trail].map {
                MapView.piece(of: $0, GlyphSet(level), isMonochrome: true)
            }
        }
        #expect(pieces(.blocks) == ["████████", "••••••••", "••••••••"])
        #expect(pieces(.ascii) == ["--------", "xxxxxxxx", "xxxxxxxx"])
    }

    @Test func `no two dots of an important street are next to each other`() throws {
        let streets = try texts(screen(.braille), [.roadMajor]).compactMap(\.unicodeScalars.first?.value)
        #expect(streets.count > 20 && streets.allSatisfy { ($0 & 0xFF).nonzeroBitCount == 1 })
    }

    @Test(arguments: [(GlyphSet.Level.ascii, "x"), (.blocks, "•"), (.sextants, "•")])
    func `streets and the driven way have different signs`(_ level: GlyphSet.Level, way: String) throws {
        let canvas = try screen(level)
        #expect(Set(texts(canvas, [.roadMajor])) == [":"])
        #expect(Set(texts(canvas, [.trail, .routeDriven])) == [way])
    }

    @Test func `the help shows pieces of the lines instead of their names`() throws {
        var state = try Ride().screen(at: 105)
        func legend() -> String { TripPanel.legend(in: state).map { $0.map(\.text).joined() }.joined(separator: "\n") }
        #expect(legend().contains("dotted") && !legend().contains("⠶"))
        state.display.theme = State.monochromeTheme
        #expect(legend().contains("⠶⠶⠶⠶⠶⠶⠶⠶ route ahead") && legend().contains("⠒⠒⠒⠒⠒⠒⠒⠒ driven"))
    }
}
