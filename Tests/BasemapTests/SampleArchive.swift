import FleetEngineProtos
import Foundation
import SwiftProtobuf
import SystemPackage

@testable import TripScreen

/// Builds PMTiles archives, also broken ones, in a temporary file.
struct SampleArchive {
    /// A directory entry as written to the file.
    struct Entry {
        var number: UInt64
        var offset: UInt64
        var length: UInt64
        var run: UInt64 = 1
    }

    var version: UInt8 = 3
    var directoryCompression: UInt8 = 1
    var tileCompression: UInt8 = 1
    var tileType: UInt8 = 1
    var zooms: (UInt8, UInt8) = (0, 4)
    var root: [UInt8]
    var leaves: [UInt8] = []
    var metadata = Array(#"{"attribution":"<b>&copy; Example</b>"}"#.utf8)
    var tiles: [UInt8]
    var degrees: [Double] = [-180, -85, 180, 85]

    /// One tile with one road at number 0, which is the whole world.
    init(tile: [UInt8]? = nil) throws {
        tiles = try tile ?? Self.tile()
        root = Self.directory([Entry(number: 0, offset: 0, length: UInt64(tiles.count))])
    }

    /// A tile with a road from one corner to the other.
    static func tile(
        extent: UInt32 = 4096,
        geometry: [UInt32] = [9, 0, 0, 10, 8192, 8192],
        layer name: String = "roads",
        type: Tiles_Tile.GeometryType = .linestring
    ) throws -> [UInt8] {
        var layer = Tiles_Tile.Layer()
        layer.name = name
        layer.version = 2
        layer.extent = extent
        layer.keys = ["kind_detail", "name"]
        layer.values = ["trunk", "High Road"].map { text in
            var value = Tiles_Tile.Value()
            value.stringValue = text
            return value
        }
        var feature = Tiles_Tile.Feature()
        feature.type = type
        feature.tags = [0, 0, 1, 1]
        feature.geometry = geometry
        layer.features = [feature]
        var tile = Tiles_Tile()
        tile.layers = [layer]
        return try tile.serializedBytes()
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    static func directory(_ entries: [Entry]) -> [UInt8] {
        var bytes = varint(UInt64(entries.count))
        var before: UInt64 = 0
        for entry in entries {
            bytes += varint(entry.number &- before)
            before = entry.number
        }
        for entry in entries { bytes += varint(entry.run) }
        for entry in entries { bytes += varint(entry.length) }
        for entry in entries { bytes += varint(entry.offset + 1) }
        return bytes
    }

    /// The file.
    var bytes: [UInt8] {
        func number(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func degrees(_ value: Double) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: Int32(value * 1e7) >> (8 * $0)) }
        }
        var file = Array("PMTiles".utf8) + [version]
        var offset: UInt64 = 127
        for part in [root, metadata, leaves, tiles] {
            file += number(offset) + number(UInt64(part.count))
            offset += UInt64(part.count)
        }
        file += [UInt8](repeating: 0, count: 24) + [1, directoryCompression, tileCompression, tileType]
        file += [zooms.0, zooms.1] + self.degrees.flatMap(degrees) + [0] + [UInt8](repeating: 0, count: 8)
        return file + root + metadata + leaves + tiles
    }

    /// Opens the archive.
    func opened() throws -> PMTilesArchive { try Self.open(bytes) }

    static func open(_ bytes: [UInt8]) throws -> PMTilesArchive {
        let url = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        // The file stays readable through its descriptor.
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try FileDescriptor.open(FilePath(url.path), .readOnly)
        return try PMTilesArchive(ArchiveFile(file, size: UInt64(bytes.count)))
    }
}
