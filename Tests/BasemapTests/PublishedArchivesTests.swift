import Foundation
import SystemPackage
import Testing
import TripTestSupport

@testable import TripScreen

/// Reads archives that the published packages `pmtiles` and `mapbox-vector-tile` and SQLite write.
@Suite("Archives of other programs", .ends(within: .longTest))
struct PublishedArchivesTests {
    private static let id = TileID(zoom: 12, x: 2200, y: 1343)

    private func open(_ folder: URL, _ name: String) throws -> any TileArchive {
        let path = folder.appending(path: name).path
        guard name.hasSuffix("pmtiles") else { return try MBTilesArchive(path: path) }
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)
        return try PMTilesArchive(
            ArchiveFile(try FileDescriptor.open(FilePath(path), .readOnly), size: size.uint64Value)
        )
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `reads PMTiles and MBTiles with the layers of Protomaps and OpenMapTiles`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archives-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is temporary.
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try await PythonProgram.run("Tests/BasemapTests/Python/archives.py", [folder.path])
        for name in ["small.pmtiles", "large.pmtiles", "good.mbtiles"] {
            let archive = try open(folder, name)
            #expect(archive.zooms == 12...12 && archive.attribution == "© OpenStreetMap contributors", "\(name)")
            #expect(archive.bounds.contains(MapPoint(x: (13.5 + 180) / 360, y: 0.328)), "\(name)")
            let tile = try archive.tile(Self.id)
            #expect(tile.lines.filter { $0.kind.isRoad }.map(\.kind) == [.path, .motorway], "\(name)")
            #expect(tile.lines.last?.name == "Ring" && tile.labels.map(\.name) == ["Mitte"], "\(name)")
            #expect(tile.areas.map(\.kind) == [.water] && tile.lines.count { $0.kind == .shore } == 1, "\(name)")
            // The package counts y from the south, tiles from the north.
            let motorway = try #require(tile.lines.last?.points.first)
            #expect(abs(motorway.y - Self.id.bounds.high.y) < 1e-9 && abs(motorway.x - Self.id.bounds.low.x) < 1e-9)
            #expect(try archive.tile(TileID(zoom: 12, x: 0, y: 0)) == MapTile(), "\(name)")
        }
        let refused: [(String, BasemapProblem)] = [
            ("raster.mbtiles", .unsupportedTiles("png")), ("empty.mbtiles", .empty), ("endless.mbtiles", .damaged),
            ("zoom.mbtiles", .damaged), ("notiles.mbtiles", .damaged), ("cut.mbtiles", .damaged),
        ]
        for (name, problem) in refused {
            #expect(throws: problem, "\(name)") { try open(folder, name) }
        }
    }
}
