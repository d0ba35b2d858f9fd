import FleetEngineProtos

/// Reads the geometry commands of a vector tile.
struct TileGeometry {
    /// A point in units of the tile's extent.
    struct Point: Equatable {
        var x: Int
        var y: Int
    }

    /// The lines or rings; each point of a point feature is a line of one point.
    private(set) var parts: [[Point]] = []
    /// Whether points are missing because of the limit.
    private(set) var isCut = false

    /// Reads commands until the first invalid one; at most `limit` points.
    init(_ commands: [UInt32], limit: Int) {
        read(commands, limit: limit)
    }

    private mutating func read(_ commands: [UInt32], limit: Int) {
        var (x, y) = (0, 0)
        var part: [Point] = []
        var index = 0
        var left = limit
        while index < commands.count {
            let (command, count) = (commands[index] & 7, Int(commands[index] >> 3))
            index += 1
            switch command {
            case 1, 2:
                // The number is from the file, and the commands must contain that many steps.
                guard count <= (commands.count - index) / 2 else { return finish(part) }
                guard count <= left else {
                    isCut = true
                    return finish(part)
                }
                left -= count
                for _ in 0..<count {
                    x &+= Self.step(commands[index])
                    y &+= Self.step(commands[index + 1])
                    index += 2
                    if command == 1 {
                        finish(part)
                        part = []
                    }
                    part.append(Point(x: x, y: y))
                }
            case 7:
                if let first = part.first { part.append(first) }
            default: return finish(part)
            }
        }
        finish(part)
    }

    private mutating func finish(_ part: [Point]) {
        if !part.isEmpty { parts.append(part) }
    }

    /// Decodes a zigzag-encoded number.
    private static func step(_ value: UInt32) -> Int { Int(Int32(bitPattern: value >> 1) ^ -Int32(value & 1)) }
}

/// The position of a tile: a square of a world divided into 2^zoom columns and rows.
package struct TileID: Sendable, Hashable {
    package let zoom: Int
    /// From west to east.
    package let x: Int
    /// From north to south.
    package let y: Int

    /// The maximum zoom level.
    package static let maximumZoom = 24

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
