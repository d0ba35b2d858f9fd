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
