import FleetEngineProtos
import SwiftProtobuf
import Testing
import TripTestSupport

@testable import TripScreen

@Suite("Vector tiles", .ends(within: .longTest))
struct TileDecoderTests {
    private static let world = TileID(zoom: 0, x: 0, y: 0)

    private func lines(_ geometry: [UInt32], limit: Int = 1000) -> [[TileGeometry.Point]] {
        TileGeometry(geometry, limit: limit).parts
    }

    @Test func `reads the geometries of the specification`() {
        // The examples of the Vector Tile Specification 2.1, section 4.3.5: a point, a line, two lines, a polygon.
        #expect(lines([9, 50, 34]) == [[.init(x: 25, y: 17)]])
        #expect(lines([9, 4, 4, 18, 0, 16, 16, 0]) == [[.init(x: 2, y: 2), .init(x: 2, y: 10), .init(x: 10, y: 10)]])
        #expect(lines([9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8]).map(\.count) == [3, 2])
        let ring = lines([9, 6, 12, 18, 10, 12, 24, 44, 15])
        #expect(ring.first?.count == 4 && ring.first?.first == ring.first?.last)
    }

    @Test func `stops at commands that announce more than there is, and at unknown ones`() {
        #expect(lines([9, 50, 34, 0xFFFF_FFFA]) == [[.init(x: 25, y: 17)]])
        #expect(lines([9, 50, 34, 13]) == [[.init(x: 25, y: 17)]])
        #expect(lines([9, 50]).isEmpty && lines([15, 15]).isEmpty)
        #expect(lines([9, 2, 2, 26, 2, 2, 2, 2, 2, 2], limit: 3) == [[.init(x: 1, y: 1)]])
        // Steps add up beyond the range without a trap.
        let far = [UInt32](repeating: 0xFFFF_FFFF, count: 2000)
        #expect(lines([9, 0, 0, 1000 << 3 | 2] + far, limit: 5000).first?.count == 1001)
    }

    @Test func `the edge of a tile is no shore`() throws {
        let tile = try TileDecoder.decode(SampleArchive.tile(), id: Self.world, isDeepest: true)
        #expect(tile.lines.count == 1)
        for extent: UInt32 in [0, 65_537, .max] {
            #expect(throws: BasemapProblem.damaged) {
                try TileDecoder.decode(SampleArchive.tile(extent: extent), id: Self.world, isDeepest: true)
            }
        }
    }

    @Test func `counts what is left out of a tile with too many points`() throws {
        // One road of 120,000 points fills the tile; two of these do not fit.
        let points = UInt32(TileDecoder.maximumPoints)
        func road(_ count: UInt32) -> [UInt32] {
            [9, 0, 0, (count - 1) << 3 | 2] + (1..<count).flatMap { _ in [UInt32(2), 0] }
        }
        func omitted(_ roads: [UInt32]...) throws -> Int {
            var tile = try Tiles_Tile(serializedBytes: SampleArchive.tile())
            let feature = tile.layers[0].features[0]
            tile.layers[0].features = roads.map { geometry in
                var next = feature
                next.geometry = geometry
                return next
            }
            let bytes: [UInt8] = try tile.serializedBytes()
            return try TileDecoder.decode(bytes, id: Self.world, isDeepest: true).omittedFeatures
        }
        #expect(try omitted(road(points)) == 0)
        #expect(try omitted(road(points + 1)) == 1)
        #expect(try omitted(road(points), road(2), road(2)) == 2)
        #expect(try omitted(road(points - 10), road(20), road(5)) == 1)
    }

    @Test(arguments: LayerRule.all)
    func `every layer has classes`(_ rule: LayerRule) {
        #expect(rule.other != nil || !rule.values.isEmpty)
        #expect(rule.kind { _ in "no such class" } == rule.other)
        for (value, kind) in rule.values { #expect(rule.kind { rule.keys.last == $0 ? value : nil } == kind) }
    }

    @Test func `prefers the detailed class of a Protomaps road`() throws {
        let rule = try #require(LayerRule.byLayer["roads"])
        #expect(rule.kind { ["kind": "major_road", "kind_detail": "trunk"][$0] } == .trunk)
        #expect(rule.kind { ["kind": "major_road", "kind_detail": "bridge"][$0] } == .primary)
        #expect(rule.kind { ["kind": "ferry"][$0] } == nil)
    }
}
