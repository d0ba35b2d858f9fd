import TripModel

/// The first 127 bytes of a PMTiles archive of version 3.
struct PMTilesHeader {
    /// A part of the file.
    struct Section {
        var offset: UInt64
        var length: UInt64
    }

    static let length = 127
    /// The first bytes of every PMTiles archive.
    static let magic = Array("PMTiles".utf8)

    var root: Section
    var metadata: Section
    var leaves: Section
    var tiles: Section
    /// Whether the directories and the metadata are compressed by gzip.
    var hasCompressedDirectories: Bool
    var zooms: ClosedRange<Int>
    var bounds: MapBounds

    init(_ bytes: [UInt8]) throws(BasemapProblem) {
        guard bytes.count >= Self.magic.count + 1, bytes.starts(with: Self.magic) else { throw .damaged }
        guard bytes[7] == 3 else { throw .unsupportedVersion(Int(bytes[7])) }
        guard bytes.count >= Self.length else { throw .damaged }
        func number(_ offset: Int, bytes count: Int) -> UInt64 {
            (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
        }
        func section(_ offset: Int) -> Section {
            Section(offset: number(offset, bytes: 8), length: number(offset + 8, bytes: 8))
        }
        func degrees(_ offset: Int) -> Double {
            Double(Int32(truncatingIfNeeded: number(offset, bytes: 4))) / 1e7
        }
        root = section(8)
        metadata = section(24)
        leaves = section(40)
        tiles = section(56)
        hasCompressedDirectories = try Self.isGzip(bytes[97])
        // Tiles of an undeclared compression are recognized by their first bytes.
        if bytes[98] != 0 { _ = try Self.isGzip(bytes[98]) }
        guard bytes[99] == 1 else { throw .unsupportedTiles(Self.tileType(bytes[99])) }
        let (lowest, highest) = (Int(bytes[100]), Int(bytes[101]))
        guard lowest <= highest, highest <= TileID.maximumZoom else { throw .damaged }
        zooms = lowest...highest
        let (west, south, east, north) = (degrees(102), degrees(106), degrees(110), degrees(114))
        bounds = try MapBounds(west: west, south: south, east: east, north: north)
    }

    private static func isGzip(_ compression: UInt8) throws(BasemapProblem) -> Bool {
        switch compression {
        case 1: return false
        case 2: return true
        case 3: throw .unsupportedCompression("Brotli")
        case 4: throw .unsupportedCompression("Zstandard")
        default: throw .unsupportedCompression("\(compression)")
        }
    }

    private static func tileType(_ type: UInt8) -> String {
        let names = ["?", "MVT", "PNG", "JPEG", "WebP", "AVIF", "MLT"]
        return Int(type) < names.count ? names[Int(type)] : "\(type)"
    }
}

extension MapBounds {
    /// Creates bounds from degrees.
    init(west: Double, south: Double, east: Double, north: Double) throws(BasemapProblem) {
        guard (-180...180).contains(west), (-180...180).contains(east), (-90...90).contains(south),
            (-90...90).contains(north), west <= east, south <= north
        else { throw .damaged }
        let low = MapPoint(Coordinate(latitude: north, longitude: west), near: 0)
        let high = MapPoint(Coordinate(latitude: south, longitude: east), near: 0)
        self.init(low: low, high: high)
    }
}
