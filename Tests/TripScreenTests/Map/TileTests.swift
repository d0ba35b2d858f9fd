import Canvas
import Testing
import TripTestSupport

@testable import TripScreen

@Suite("Tiles of a base map", .ends(within: .quickTest))
struct TileTests {
    /// An archive of the whole world; the tests deliver its tiles themselves.
    private final class Archive: TileArchive {
        let zooms = 0...14
        let bounds = MapBounds.world
        let attribution = "© Mapmakers"
        let layers: [String]

        init(layers: [String] = ["roads"]) { self.layers = layers }

        func bytes(of id: TileID) throws(BasemapProblem) -> [UInt8]? { nil }
        func anyBytes() throws(BasemapProblem) -> [UInt8]? { nil }
    }

    private func tiles(_ effects: [Effect]) -> [TileID] {
        effects.flatMap { if case .loadTiles(let tiles) = $0 { tiles } else { [TileID]() } }
    }

    /// A tile with water and a named street in 32 parts, so that some of it is in every section.
    private func tile(_ id: TileID) -> MapTile {
        let (low, high) = (id.bounds.low, id.bounds.high)
        var tile = MapTile()
        for row in 0..<32 {
            let y = low.y + (high.y - low.y) * (Double(row) + 0.5) / 32
            tile.add(.primary, line: [MapPoint(x: low.x, y: y), MapPoint(x: high.x, y: y)], name: "High Road")
        }
        let corner = MapPoint(x: low.x, y: high.y)
        tile.add(.water, rings: [[low, MapPoint(x: high.x, y: low.y), corner, low]])
        tile.sort()
        return tile
    }

    @Test func `are requested once, and drawn as they arrive`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        let archive = Archive()
        let wanted = tiles(state.update(.basemap(Basemap(archive: archive))))
        #expect(!wanted.isEmpty && wanted.count <= Basemap.maximumVisibleTiles)
        #expect(tiles(state.update(.tick(Ride.moment(106)))).isEmpty)
        #expect(view(state).text.contains("© Mapmakers"))
        let loaded = Dictionary(uniqueKeysWithValues: wanted.map { ($0, tile($0)) })
        #expect(state.update(.tiles(loaded, of: archive)).isEmpty)
        let canvas = view(state)
        #expect(canvas.text.contains("High Road") && canvas.cells.contains { $0.role == .roadMajor })
        #expect(canvas.cells.contains { $0.ground == .water })
    }

    @Test func `what is left out of a tile is said once`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        let archive = Archive()
        let wanted = tiles(state.update(.basemap(Basemap(archive: archive))))
        var loaded = Dictionary(uniqueKeysWithValues: wanted.map { ($0, tile($0)) })
        _ = state.update(.tiles(loaded, of: archive))
        #expect(state.message == nil)
        loaded[wanted[0]]?.omittedFeatures = 7
        _ = state.update(.tiles(loaded, of: archive))
        #expect(state.message?.contains("not drawn: 7") == true)
        _ = state.update(.key(.character("f")))
        _ = state.update(.tiles(loaded, of: archive))
        #expect(state.message == nil)
    }

    @Test func `are requested again where the map moves, and drawn from other levels until then`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        let archive = Archive()
        let wanted = tiles(state.update(.basemap(Basemap(archive: archive))))
        _ = state.update(.tiles(Dictionary(uniqueKeysWithValues: wanted.map { ($0, tile($0)) }), of: archive))
        var requested: [TileID] = []
        for _ in 0..<4 { requested = tiles(state.update(.key(.character("z")))) + requested }
        #expect(!requested.isEmpty && Set(requested).isDisjoint(with: wanted))
        #expect(view(state).cells.contains { $0.role == .roadMajor })
    }

    @Test func `of an archive without known streets are announced with the names of its layers`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        _ = state.update(.basemap(Basemap(archive: Archive(layers: ["lines\u{1B}[2J", "water", "contours"]))))
        #expect(state.message == "Unknown layers, drawn as thin lines: lines␛[2J, contours")
        #expect(view(state).text.contains("contours"))
        state.message = nil
        _ = state.update(.basemap(Basemap(archive: Archive(layers: ["transportation", "contours"]))))
        #expect(state.message == nil)
    }

    @Test func `of a replaced base map are ignored`() throws {
        var state = try Ride().screen(at: 105)
        _ = state.update(.basemap(Basemap(archive: Archive())))
        let wanted = state.neededTiles
        let late = Dictionary(uniqueKeysWithValues: wanted.map { ($0, tile($0)) })
        #expect(state.update(.tiles(late, of: Archive())).isEmpty)
        #expect(!view(state).cells.contains { $0.role == .roadMajor })
    }

    @Test func `a folder is searched once for each trip`() throws {
        var state = try Ride().screen(at: 105)
        state.settings.findsBasemap = true
        let first = state.update(.tick(Ride.moment(106)))
        guard case .findBasemap(let place) = first.first else {
            Issue.record("no search: \(first)")
            return
        }
        #expect((0...1).contains(place.x) && (0...1).contains(place.y))
        #expect(state.update(.tick(Ride.moment(107))).isEmpty)
    }
}
