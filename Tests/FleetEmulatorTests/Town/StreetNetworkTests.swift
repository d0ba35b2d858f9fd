import FleetEmulator
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Street network", .ends(within: .quickTest))
struct StreetNetworkTests {
    /// A grid of 4 x 4 points near the equator, 0.001 degrees (111 m) apart, with more lines on top.
    private func network(_ lines: [(kind: String, points: [(Int, Int)], oneway: Bool)]) -> StreetNetwork {
        let features = lines.map { line in
            let positions = line.points.map { "[\(Double($0.0) / 1000),\(Double($0.1) / 1000)]" }
            return
                #"{"properties":{"class":"\#(line.kind)","oneway":\#(line.oneway)},"geometry":{"type":"LineString","coordinates":[\#(positions.joined(separator: ","))]}}"#
        }
        guard case .array(let values)? = JSONValue(Array("[\(features.joined(separator: ","))]".utf8)) else {
            Issue.record("not JSON")
            return StreetNetwork(features: [])
        }
        return StreetNetwork(features: values)
    }

    private func place(_ x: Double, _ y: Double) -> Coordinate { Coordinate(latitude: y / 1000, longitude: x / 1000) }

    private func corners(_ path: StreetPath?) -> [[Int]] {
        (path?.points ?? []).map { [Int(($0.longitude * 1000).rounded()), Int(($0.latitude * 1000).rounded())] }
    }

    @Test func `takes the fastest way, not the shortest`() {
        let streets = network([
            ("residential", [(0, 0), (4, 0)], false),
            ("motorway", [(0, 0), (0, 1), (4, 1), (4, 0)], false),
        ])
        #expect(corners(streets.path(from: place(0, 0), to: place(4, 0))) == [[0, 0], [0, 1], [4, 1], [4, 0]])
        let slow = network([
            ("residential", [(0, 0), (4, 0)], false), ("tertiary", [(0, 0), (0, 1), (4, 1), (4, 0)], false),
        ])
        #expect(corners(slow.path(from: place(0, 0), to: place(4, 0))) == [[0, 0], [4, 0]])
    }

    @Test func `prefers a way with fewer turns`() {
        let streets = network([
            ("residential", [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)], false),
            ("residential", [(0, 0), (0, 1), (0, 2), (2, 2)], false),
        ])
        #expect(corners(streets.path(from: place(0, 0), to: place(2, 2))) == [[0, 0], [0, 1], [0, 2], [2, 2]])
    }

    @Test func `obeys one-way streets`() {
        let streets = network([
            ("residential", [(0, 0), (2, 0)], true), ("residential", [(2, 0), (2, 1), (0, 1), (0, 0)], false),
        ])
        #expect(corners(streets.path(from: place(0, 0), to: place(2, 0))) == [[0, 0], [2, 0]])
        #expect(
            corners(streets.path(from: place(2, 0), to: place(0, 0))) == [[2, 0], [2, 1], [0, 1], [0, 0]]
        )
        // Within a one-way street, a place behind is reached around the block.
        let back = streets.path(from: place(1.5, 0), to: place(0.5, 0))
        #expect((back?.points.count ?? 0) == 6)
    }

    @Test func `turns around in dead ends only`() {
        let streets = network([
            ("residential", [(0, 0), (1, 0), (2, 0)], true), ("residential", [(2, 0), (3, 0)], false),
            ("residential", [(2, 0), (2, 3), (0, 3), (0, 0)], true),
        ])
        // Out of the dead end at 3.
        #expect(corners(streets.path(from: place(3, 0), to: place(0, 3))) == [[3, 0], [2, 0], [2, 3], [0, 3]])
        #expect(corners(streets.path(from: place(2.5, 0), to: place(3, 0))).last == [3, 0])
    }

    @Test func `begins and ends at the points themselves, beside the street`() throws {
        let streets = network([("residential", [(0, 0), (9, 0)], false)])
        let (start, end) = (place(2, 1), place(6, -1))
        let path = try #require(streets.path(from: start, to: end))
        #expect(path.points.first == start && path.points.last == end && path.points.count == 4)
        #expect(corners(path) == [[2, 1], [2, 0], [6, 0], [6, -1]])
        #expect(path.speeds.count == 3 && path.speeds[0] < path.speeds[1])
    }

    @Test func `finds no way to a place far from the streets or without a connection`() {
        let streets = network([
            ("residential", [(0, 0), (1, 0)], false), ("residential", [(40, 0), (41, 0)], false),
        ])
        #expect(streets.path(from: place(0, 0), to: place(0, 20)) == nil)
        #expect(streets.path(from: place(0, 0), to: place(41, 0)) == nil)
        #expect(network([]).path(from: place(0, 0), to: place(1, 0)) == nil)
    }

    @Test func `rivers, railways, paths and broken features are no streets`() {
        let streets = network([
            ("rail", [(0, 0), (4, 0)], false), ("path", [(0, 0), (4, 0)], false),
            ("waterway", [(0, 0), (4, 0)], false), ("residential", [(900_000, 0), (901_000, 0)], false),
        ])
        #expect(streets.nearest(to: place(0, 0)) == nil)
        #expect(StreetNetwork(features: [.null, .object([])]).nearest(to: place(0, 0)) == nil)
    }

    @Test func `never takes longer than other ways between random points`() throws {
        // The time of the direct way is at most the sum of the times through a third point, apart from turns at it.
        let town = Town.demo
        var random = SeededGenerator(seed: 3)
        func time(_ start: Coordinate, _ end: Coordinate) throws -> Double {
            let path = try #require(town.streets.path(from: start, to: end))
            let lengths = zip(path.points, path.points.dropFirst()).map { $0.distance(to: $1).meters }
            return zip(lengths, path.speeds).reduce(0) { $0 + $1.0 / $1.1 }
        }
        for _ in 0..<15 {
            let places = try (0..<3).map { (_) throws -> Coordinate in
                let place = try #require(town.places.randomElement(using: &random))
                return try #require(town.streets.nearest(to: place.coordinate))
            }
            let direct = try time(places[0], places[1])
            let around = try time(places[0], places[2]) + (try time(places[2], places[1]))
            // Turns count in the search, but not in these times.
            #expect(direct <= around + 60)
        }
    }
}
