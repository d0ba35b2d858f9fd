import Foundation
import SystemPackage
import TripModel
import TripScreen

extension Reader {
    /// Street maps.
    static let ofMaps: [Reader] = [
        Reader(name: "geojson") { _ = try? Basemap(geoJSON: Data($0)) },
        Reader(name: "vector-tile") { input in
            for drawsUnknown in [false, true] {
                _ = try? TileDecoder.decode(
                    input,
                    id: TileID(zoom: 14, x: 8_000, y: 5_000),
                    isDeepest: true,
                    drawsUnknown: drawsUnknown
                )
            }
            _ = try? TileDecoder.layers(of: input)
        },
        Reader(name: "pmtiles") { input in
            // The version is checked first and the rest of the header is read by offsets.
            guard write(Array("PMTiles".utf8) + [3] + input), let file = try? FileDescriptor.open(path, .readOnly)
            else {
                return
            }
            guard let archive = try? PMTilesArchive(ArchiveFile(file, size: UInt64(input.count + 8))) else { return }
            tiles(of: archive)
        },
        Reader(name: "mbtiles") { input in
            guard write(input), let archive = try? MBTilesArchive(path: path.string) else { return }
            tiles(of: archive)
        },
    ]

    private static func tiles(of archive: some TileArchive) {
        _ = archive.layers
        for zoom in archive.zooms.prefix(3) { _ = try? archive.tile(TileID(zoom: zoom, x: 0, y: 0)) }
        _ = try? archive.checkedTile()
    }

    /// The file of the input; each process has its own.
    private static let path = FilePath("/dev/shm/tripshare-fuzz-\(ProcessInfo.processInfo.processIdentifier)")

    /// Writes an input to the file.
    private static func write(_ input: [UInt8]) -> Bool {
        do {
            let file = try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .truncate],
                permissions: .ownerReadWrite
            )
            return try file.closeAfter { try file.writeAll(input) } == input.count
        } catch {
            return false
        }
    }
}
