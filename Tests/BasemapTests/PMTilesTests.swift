import FleetEngineProtos
import Foundation
import Runtime
import SystemPackage
import Testing
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("PMTiles", .ends(within: .quickTest))
struct PMTilesTests {
    private static let world = TileID(zoom: 0, x: 0, y: 0)

    @Test func `reads tiles, zoom levels, bounds and the attribution`() throws {
        let archive = try SampleArchive().opened()
        #expect(archive.zooms == 0...4 && archive.attribution == "© Example")
        #expect(abs(archive.bounds.high.x - 1) < 1e-9 && abs(archive.bounds.low.x) < 1e-9)
        let tile = try archive.tile(Self.world)
        #expect(tile.lines.map(\.kind) == [.trunk] && tile.lines.map(\.name) == ["High Road"])
        #expect(tile.lines.first?.points == [MapPoint(x: 0, y: 0), MapPoint(x: 1, y: 1)])
    }

    @Test func `a missing tile is the part of the next tile above`() throws {
        // One road from the north-west corner of the world to the south-east one.
        let archive = try SampleArchive().opened()
        func road(_ zoom: Int, _ x: Int, _ y: Int) throws -> [[MapPoint]] {
            try archive.tile(TileID(zoom: zoom, x: x, y: y)).lines.map(\.points)
        }
        #expect(try road(1, 0, 0) == [[MapPoint(x: 0, y: 0), MapPoint(x: 0.5, y: 0.5)]])
        #expect(try road(2, 1, 1) == [[MapPoint(x: 0.25, y: 0.25), MapPoint(x: 0.5, y: 0.5)]])
        #expect(try road(4, 15, 15) == [[MapPoint(x: 0.9375, y: 0.9375), MapPoint(x: 1, y: 1)]])
        #expect(try road(1, 1, 0).isEmpty && road(4, 3, 9).isEmpty)
        #expect(try archive.tile(TileID(zoom: 3, x: 2, y: 2)).lines.map(\.name) == ["High Road"])
    }

    @Test func `a missing tile has the areas of the next tile above up to its edge`() throws {
        // A square from 1/4 to 3/4 in both directions, in units of 4096.
        let square: [UInt32] = [9, 2048, 2048, 26, 4096, 0, 0, 4096, 4095, 0, 15]
        let sample = try SampleArchive(tile: SampleArchive.tile(geometry: square, layer: "water", type: .polygon))
        let area = try #require(try sample.opened().tile(TileID(zoom: 1, x: 0, y: 1)).areas.first)
        #expect(area.bounds == MapBounds(low: MapPoint(x: 0.25, y: 0.5), high: MapPoint(x: 0.5, y: 0.75)))
        #expect(area.rings.count == 1 && area.rings.first?.first == area.rings.first?.last)
    }

    @Test func `an archive without known streets is drawn as thin lines, and names its layers`() throws {
        let unknown = try SampleArchive(tile: SampleArchive.tile(layer: "gas_lines"))
        let archive = try unknown.opened()
        #expect(archive.unknownLayers == ["gas_lines"])
        let tile = try archive.tile(Self.world)
        #expect(tile.lines.map(\.kind) == [.other] && tile.lines.map(\.name) == ["High Road"])
        // The metadata names layers that the tile lacks.
        var named = unknown
        named.metadata = Array(#"{"attribution":7,"vector_layers":[{"id":"streets"},{"id":"water"}]}"#.utf8)
        #expect(try named.opened().unknownLayers == ["streets"])
        named.metadata = Array(#"{"vector_layers":[{"id":"roads"},{"id":"gas_lines"}]}"#.utf8)
        let roads = try named.opened()
        #expect(roads.unknownLayers.isEmpty)
        #expect(try roads.tile(Self.world) == MapTile())
    }

    @Test func `unknown areas have edges and no filling`() throws {
        let square: [UInt32] = [9, 200, 200, 26, 400, 0, 0, 400, 399, 0, 15]
        let sample = try SampleArchive(tile: SampleArchive.tile(geometry: square, layer: "plots", type: .polygon))
        let tile = try sample.opened().tile(Self.world)
        #expect(tile.areas.isEmpty && tile.lines.map(\.kind) == [.other])
    }

    @Test func `finds tiles in runs and in directories below the root`() throws {
        var sample = try SampleArchive()
        let length = UInt64(sample.tiles.count)
        sample.leaves = SampleArchive.directory([.init(number: 1, offset: 0, length: length, run: 3)])
        sample.root = SampleArchive.directory([
            .init(number: 1, offset: 0, length: UInt64(sample.leaves.count), run: 0)
        ])
        let archive = try sample.opened()
        #expect(try archive.bytes(of: Self.world) == nil)
        for (x, y, isThere) in [(0, 0, true), (0, 1, true), (1, 1, true), (1, 0, false)] {
            for _ in 0..<2 { #expect(try (archive.bytes(of: TileID(zoom: 1, x: x, y: y)) != nil) == isThere) }
        }
    }

    @Test func `refuses a directory that leads to itself`() throws {
        var sample = try SampleArchive()
        // The entry refers to the directory that contains it.
        sample.leaves = SampleArchive.directory([.init(number: 0, offset: 0, length: 5, run: 0)])
        #expect(sample.leaves.count == 5)
        sample.root = sample.leaves
        #expect(throws: BasemapProblem.damaged) { try sample.opened() }
    }

    @Test func `refuses huge counts before it allocates memory for them`() throws {
        for count: UInt64 in [200_001, 1 << 40, 1 << 62] {
            var sample = try SampleArchive()
            sample.root = SampleArchive.varint(count) + [0, 1, 1, 1]
            #expect(throws: BasemapProblem.damaged) { try sample.opened() }
        }
    }

    @Test(arguments: [
        SampleArchive.Entry(number: 0, offset: 0, length: 1 << 20), .init(number: 0, offset: 1 << 50, length: 10),
        .init(number: 0, offset: .max - 1, length: 10), .init(number: 0, offset: 0, length: 0),
        .init(number: 0, offset: 0, length: 1 << 40),
    ])
    func `refuses entries outside the file`(_ entry: SampleArchive.Entry) throws {
        var sample = try SampleArchive()
        sample.root = SampleArchive.directory([entry])
        #expect(throws: BasemapProblem.damaged) { try sample.opened() }
    }

    @Test func `names versions, tile types and compressions that it cannot read`() throws {
        func problem(_ change: (inout SampleArchive) -> Void) throws -> BasemapProblem? {
            var sample = try SampleArchive()
            change(&sample)
            do {
                _ = try sample.opened()
                return nil
            } catch let problem as BasemapProblem {
                return problem
            }
        }
        #expect(try problem { _ in } == nil)
        #expect(try problem { $0.version = 2 } == .unsupportedVersion(2))
        #expect(try problem { $0.tileType = 2 } == .unsupportedTiles("PNG"))
        #expect(try problem { $0.tileType = 6 } == .unsupportedTiles("MLT"))
        #expect(try problem { $0.tileType = 99 } == .unsupportedTiles("99"))
        #expect(try problem { $0.directoryCompression = 3 } == .unsupportedCompression("Brotli"))
        #expect(try problem { $0.tileCompression = 4 } == .unsupportedCompression("Zstandard"))
        #expect(try problem { $0.directoryCompression = 2 } == .damaged)
        #expect(try problem { $0.zooms = (5, 4) } == .damaged)
        #expect(try problem { $0.zooms = (0, 60) } == .damaged)
        #expect(try problem { $0.degrees = [10, 0, -10, 5] } == .damaged)
        #expect(try problem { $0.root = SampleArchive.directory([]) } == .empty)
        #expect(try problem { $0.tiles = $0.tiles.map { _ in 0xFF } } == .damaged)
    }

    @Test func `no truncated or changed archive traps or opens endlessly`() throws {
        let whole = try SampleArchive().bytes
        for length in 0..<whole.count {
            #expect(throws: BasemapProblem.self) { try SampleArchive.open(Array(whole[..<length])) }
        }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            var changed = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: 0..<whole.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                let archive = try SampleArchive.open(changed)
                _ = try archive.tile(TileID(zoom: archive.zooms.lowerBound, x: 0, y: 0))
            } catch {
                #expect(error is BasemapProblem)
            }
        }
    }

    @Test func `reads a tile behind 5 GB of others`() throws {
        let sample = try SampleArchive()
        let distance = UInt64(5) << 30
        var bytes = Array(sample.bytes.dropLast(sample.tiles.count))
        // The offset of the section of tiles.
        for index in 0..<8 { bytes[56 + index] = UInt8(truncatingIfNeeded: distance >> (8 * UInt64(index))) }
        let url = FileManager.default.temporaryDirectory.appending(path: "sparse-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        // The file is temporary.
        defer { try? FileManager.default.removeItem(at: url) }
        let handle = try FileHandle(forWritingTo: url)
        try handle.seek(toOffset: distance)
        try handle.write(contentsOf: Data(sample.tiles))
        try handle.close()
        let file = try FileDescriptor.open(FilePath(url.path), .readOnly)
        let archive = try PMTilesArchive(ArchiveFile(file, size: distance + UInt64(sample.tiles.count)))
        #expect(try archive.tile(Self.world).lines.count == 1)
    }

    @Test func `refuses an archive whose last tiles are missing`() throws {
        var sample = try SampleArchive()
        let one = UInt64(sample.tiles.count)
        sample.tiles += sample.tiles
        sample.root = SampleArchive.directory([
            .init(number: 0, offset: 0, length: one), .init(number: 1, offset: one, length: one),
        ])
        #expect(try sample.opened().tile(Self.world).lines.count == 1)
        #expect(throws: BasemapProblem.damaged) { try SampleArchive.open(sample.bytes.dropLast(1)) }
    }

    @Test func `refuses compressed data that expands beyond the limit`() throws {
        #expect(throws: BasemapProblem.damaged) { try Gzip.decompressed([0x1F, 0x8B, 8, 0], limit: 100) }
        #expect(throws: BasemapProblem.damaged) { try Gzip.decompressed([], limit: 100) }
        // 1,000 zero bytes by zlib.
        let bomb: [UInt8] = [
            0x78, 0x9C, 0x63, 0x60, 0x18, 0x05, 0xA3, 0x60, 0x14, 0x0C, 0x77, 0x00, 0x00, 0x03, 0xE8, 0x00, 0x01,
        ]
        #expect(try Gzip.decompressed(bomb, limit: 1000).count == 1000)
        #expect(throws: BasemapProblem.damaged) { try Gzip.decompressed(bomb, limit: 999) }
    }
}
