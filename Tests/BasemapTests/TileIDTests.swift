import Testing
import TripTestSupport

@testable import TripScreen

@Suite("Tile positions", .ends(within: .quickTest))
struct TileIDTests {
    @Test(arguments: [
        (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
        (12, 3423, 1763, 19_078_479),
    ])
    func `numbers follow the Hilbert curve of the specification`(_ example: (zoom: Int, x: Int, y: Int, number: UInt64))
    {
        #expect(TileID(zoom: example.zoom, x: example.x, y: example.y).archiveNumber == example.number)
    }

    @Test func `every tile of a level has its own number, next to a neighbor's`() {
        var tiles: [UInt64: TileID] = [:]
        for x in 0..<32 {
            for y in 0..<32 {
                let id = TileID(zoom: 5, x: x, y: y)
                tiles[id.archiveNumber] = id
            }
        }
        let first: UInt64 = (1 << 10 - 1) / 3
        #expect(tiles.count == 1024 && tiles.keys.min() == first && tiles.keys.max() == first + 1023)
        for number in first..<(first + 1023) {
            guard let id = tiles[number], let next = tiles[number + 1] else { continue }
            #expect(abs(id.x - next.x) + abs(id.y - next.y) == 1)
        }
    }
}
