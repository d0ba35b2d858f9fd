/// The position of a tile: a square of a world divided into 2^zoom columns and rows.
package struct TileID: Sendable, Hashable {
    package let zoom: Int
    /// From west to east.
    package let x: Int
    /// From north to south.
    package let y: Int

    /// The maximum zoom level.
    package static let maximumZoom = 24

    package init(zoom: Int, x: Int, y: Int) {
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    /// The part of the Mercator square.
    package var bounds: MapBounds {
        let size = 1 / Double(1 << zoom)
        return MapBounds(
            low: MapPoint(x: Double(x) * size, y: Double(y) * size),
            high: MapPoint(x: Double(x + 1) * size, y: Double(y + 1) * size)
        )
    }

    /// The tile one level above; `nil` at level 0.
    package var parent: TileID? { zoom > 0 ? TileID(zoom: zoom - 1, x: x / 2, y: y / 2) : nil }

    /// The four tiles one level below.
    package var children: [TileID] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map { TileID(zoom: zoom + 1, x: x * 2 + $0.0, y: y * 2 + $0.1) }
    }

    /// The number of the tile in a PMTiles archive: all tiles of lower levels, then the position on a Hilbert curve.
    var archiveNumber: UInt64 {
        var number = ((UInt64(1) << UInt64(2 * zoom)) - 1) / 3
        var (x, y) = (x, y)
        for level in stride(from: zoom - 1, through: 0, by: -1) {
            let size = 1 << level
            let (right, bottom) = (x & size, y & size)
            number += UInt64((3 * (right >> level)) ^ (bottom >> level)) << UInt64(2 * level)
            if bottom == 0 {
                if right != 0 { (x, y) = (~x & (size - 1), ~y & (size - 1)) }
                (x, y) = (y, x)
            }
        }
        return number
    }
}
