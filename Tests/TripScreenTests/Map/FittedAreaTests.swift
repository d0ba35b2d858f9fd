import Canvas
import Testing
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Section that shows everything", .ends(within: .quickTest))
struct FittedAreaTests {
    private let rect = Rect(x: 0, y: 0, width: 100, height: 50)

    private func fit(_ points: [MapPicture.Point], in rect: Rect? = nil) -> MapCamera {
        MapCamera(fitting: points, in: rect ?? self.rect, closest: 1e9)
    }

    private func next(
        _ points: [MapPicture.Point],
        after previous: FittedArea?,
        in rect: Rect? = nil,
        trip: String = "a"
    ) throws -> FittedArea {
        FittedArea.next(try .trip(TripID(trip)), points, fit: fit(points, in: rect), previous: previous)
    }

    /// A square with its upper left corner and its size, in thousandths of the world.
    private func square(_ x: Double, _ y: Double, _ size: Double) -> [MapPicture.Point] {
        [.init(x: x / 1000, y: y / 1000), .init(x: (x + size) / 1000, y: (y + size) / 1000)]
    }

    @Test func `begins with the best fit`() throws {
        let points = square(500, 300, 10)
        #expect(try next(points, after: nil).camera == fit(points))
    }

    @Test func `stays while everything is visible with a margin`() throws {
        let first = try next(square(500, 300, 10), after: nil)
        #expect(try next(square(500.5, 300.3, 9), after: first) == first)
        #expect(try next(square(499.5, 299.5, 11), after: first) == first)
    }

    @Test func `changes when something comes near the border or leaves`() throws {
        let first = try next(square(500, 300, 10), after: nil)
        for points in [square(501, 301, 10), square(498, 300, 10), square(600, 300, 10), square(495, 295, 20)] {
            #expect(try next(points, after: first).camera == fit(points))
        }
    }

    @Test func `changes when it could be one and a half times closer`() throws {
        let first = try next(square(500, 300, 10), after: nil)
        #expect(try next(square(500, 300, 6.8), after: first) == first)
        let near = square(502, 302, 6.6)
        #expect(try next(near, after: first).camera == fit(near))
    }

    @Test func `changes with the size of the map and with the trip`() throws {
        let points = square(500, 300, 10)
        let first = try next(points, after: nil)
        let other = Rect(x: 0, y: 0, width: 80, height: 50)
        #expect(try next(points, after: first, in: other).camera == fit(points, in: other))
        #expect(try next(points, after: first, trip: "b").journey == JourneyID(named: "b"))
    }

    @Test func `a ride changes it a few times, not with each poll`() throws {
        let ride = Ride()
        var state = try ride.screen(at: 14, width: 120, height: 40)
        var changes = 0
        for message in try ride.messages(until: 170).dropFirst(6) {
            let before = state.panels.trip.map.fitted
            _ = state.update(message)
            if state.panels.trip.map.fitted != before { changes += 1 }
        }
        #expect(changes <= 3, "\(changes) changes")
    }
}
