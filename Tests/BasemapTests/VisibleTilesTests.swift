import Testing
import TripTestSupport

@testable import TripScreen

@Suite("Visible tiles", .ends(within: .quickTest))
struct VisibleTilesTests {
    private func section(x: Double, y: Double, tiles: Double, zoom: Int) -> Basemap.Section {
        let half = tiles / 2 / Double(1 << zoom)
        return Basemap.Section(
            bounds: MapBounds(low: MapPoint(x: x - half, y: y - half), high: MapPoint(x: x + half, y: y + half)),
            scale: 200 * Double(1 << zoom)
        )
    }

    private func map() throws -> Basemap { Basemap(archive: try SampleArchive().opened()) }

    @Test func `needs the tiles of the scale, the middle first`() throws {
        let needed = try map().needed(in: section(x: 0.51, y: 0.51, tiles: 2, zoom: 3))
        #expect(needed.first == TileID(zoom: 3, x: 4, y: 4) && needed.allSatisfy { $0.zoom == 3 })
        #expect(needed.count == 9)
    }

    @Test func `uses the last level of the archive beyond it`() throws {
        let needed = try map().needed(in: section(x: 0.5, y: 0.5, tiles: 1, zoom: 12))
        #expect(!needed.isEmpty && needed.allSatisfy { $0.zoom == 4 })
    }

    @Test func `never needs too many tiles, for any section`() throws {
        let map = try map()
        for zoom in 0...20 {
            for tiles in [0.0, 1, 10, 1e3, 1e9, .infinity, .nan] {
                let needed = map.needed(in: section(x: 0.9, y: 0.1, tiles: tiles, zoom: zoom))
                #expect(needed.count <= Basemap.maximumVisibleTiles && Set(needed).count == needed.count)
            }
        }
    }

    @Test func `wraps around the world`() throws {
        let needed = try map().needed(in: section(x: 1.0, y: 0.5, tiles: 1, zoom: 4))
        #expect(Set(needed.map(\.x)) == [15, 0])
    }

    @Test func `draws a coarser tile until the finer one arrives`() throws {
        var map = try map()
        let (whole, fine) = (TileID(zoom: 0, x: 0, y: 0), TileID(zoom: 2, x: 1, y: 1))
        let tile = try TileDecoder.decode(SampleArchive.tile(), id: whole, isDeepest: true)
        #expect(map.missing([fine]) == [fine] && map.drawn([fine]).isEmpty)
        map.add([whole: tile], needed: [fine])
        #expect(map.drawn([fine]) == [tile] && map.missing([fine]) == [fine])
        map.add([fine: MapTile()], needed: [fine])
        #expect(map.drawn([fine]) == [MapTile()] && map.missing([fine]).isEmpty)
    }

    @Test func `retains a bounded number of tiles, and all that are needed`() throws {
        var map = try map()
        let needed = (0..<40).map { TileID(zoom: 10, x: $0, y: 0) }
        for y in 0..<20 {
            map.add(
                Dictionary(uniqueKeysWithValues: (0..<40).map { (TileID(zoom: 10, x: $0, y: y), MapTile()) }),
                needed: needed
            )
        }
        #expect(map.missing(needed).isEmpty)
        #expect(map.tiles.count <= needed.count + Basemap.maximumCachedTiles)
    }
}
