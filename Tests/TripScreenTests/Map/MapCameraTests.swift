import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Map camera", .ends(within: .quickTest))
struct MapCameraTests {
    @Test(arguments: 1...4)
    func `the vehicle is always on the map or an arrow points to it`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var ride = Ride()
        ride.silentFrom = 500
        var state = try ride.screen(at: 20)
        var messages = try ride.messages(until: 165).dropFirst(10)
        for step in 0..<150 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...4:
                let key = try #require("hjklzZzZ><fb0".randomElement(using: &random))
                #expect(state.update(.key(.character(key))).isEmpty)
            case 5:
                let width = Int.random(in: 60...200, using: &random)
                #expect(state.update(.resized(width: width, height: Int.random(in: 16...60, using: &random))).isEmpty)
            case 6:
                let rect = state.mapRect
                let place = (x: Int.random(in: 0..<200, using: &random), y: Int.random(in: 0..<60, using: &random))
                for action in [Pointer.Action.press, .drag, .release, .wheelUp, .wheelDown].shuffled(using: &random) {
                    guard rect.contains(x: place.x, y: place.y) else { break }
                    #expect(state.update(.pointer(Pointer(action, x: place.x, y: place.y))).isEmpty)
                }
            default: if let message = messages.popFirst() { _ = state.update(message) }
            }
            let rect = state.mapRect
            guard rect.width > 2, rect.height > 2 else { continue }
            let canvas = view(state)
            let cells = (rect.y..<rect.maxY).flatMap { y in (rect.x..<rect.maxX).compactMap { canvas[$0, y] } }
            let signs = cells.filter { [.vehicle, .stale, .vehicleEstimated].contains($0.role) }.map(\.text)
            #expect(
                signs.contains { "▲◥►◢▼◣◄◤●↑↗→↘↓↙←↖".contains($0) },
                "seed \(seed), step \(step):\n\(canvas.text)"
            )
        }
    }

    @Test func `a route of 20,000 points costs no more than its length in dots`() throws {
        let points = (0..<20_000).map { index in
            let way = Double(index) / 20_000
            return MapPicture.Point(x: 0.5 + way * 1e-4, y: 0.3 + sin(way * 12) * 1e-5)
        }
        let rect = Rect(x: 0, y: 0, width: 200, height: 60)
        let camera = MapCamera(fitting: points, in: rect, closest: 1e9)
        let dots = camera.dots(points)
        #expect(dots.count < 2 * (rect.width * 2 + rect.height * 4))
        #expect(dots.first == camera.dot(points[0]) && dots.last == camera.dot(points[19_999]))
        // The omitted points are within one dot of what is drawn.
        var place = 0
        for point in points.map(camera.dot) {
            while place + 1 < dots.count, dots[place + 1].x <= point.x { place += 1 }
            #expect(abs(point.x - dots[place].x) <= 1 && abs(point.y - dots[place].y) <= 1)
        }
        var close = camera
        close.scale *= 200
        #expect(close.dots(points).count > 10_000)
    }

    @Test(arguments: [(2.0, 1.0), (2.5, 0.8), (1.6, 1.25)])
    func `a square on the ground is drawn square for any cell shape`(
        _ example: (aspect: Double, squeeze: Double)
    ) throws {
        var settings = State.Settings(host: "host", cellAspect: example.aspect)
        #expect(abs(settings.squeeze - example.squeeze) < 1e-9)
        settings.cellAspect = example.aspect
        let corners = [MapPicture.Point(x: 0.5, y: 0.3), MapPicture.Point(x: 0.5001, y: 0.3001)]
        let rect = Rect(x: 0, y: 0, width: 80, height: 24)
        let camera = MapCamera(fitting: corners, in: rect, closest: 1e9, squeeze: settings.squeeze)
        let (first, second) = (camera.dot(corners[0]), camera.dot(corners[1]))
        // A dot is half a cell wide and a quarter of a cell high.
        let ratio = (second.y - first.y) / 4 * example.aspect / ((second.x - first.x) / 2)
        #expect(abs(ratio - 1) < 1e-6)
        #expect(second.y - first.y <= 24 * 4 * 0.8 + 0.001)
    }

    @Test func `the presenter's map can be dragged and zoomed, and hidden panels get no clicks`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        #expect(state.update(.key(.character("P"))).isEmpty)
        let rect = state.mapRect
        #expect(rect.x == 0 && rect.width == 120 && rect.y > 0)
        for y in 0..<40 where y < rect.y {
            for x in 0..<120 { #expect(state.update(.pointer(Pointer(.press, x: x, y: y))).isEmpty) }
        }
        #expect(state.view == .trip && state.panels.trip.map.mode == .fit)
        #expect(state.update(.pointer(Pointer(.press, x: 100, y: rect.maxY - 2))).isEmpty)
        #expect(state.update(.pointer(Pointer(.drag, x: 90, y: rect.maxY - 2))).isEmpty)
        #expect(state.panels.trip.map.mode == .free && state.view == .trip)
    }

    @Test func `several places beyond the same corner have an arrow each`() throws {
        let camera = MapCamera(fitting: [], in: Rect(x: 3, y: 2, width: 20, height: 8), closest: 1)
        for corner in [(x: 3, y: 2), (x: 22, y: 2), (x: 22, y: 9), (x: 3, y: 9), (x: 10, y: 2), (x: 3, y: 5)] {
            let border = camera.border(from: corner)
            #expect(border.first.map { $0 == corner } ?? false)
            #expect(border.count == 2 * (20 + 8) - 4)
            #expect(Set(border.map { [$0.x, $0.y] }).count == border.count)
        }
        #expect(camera.border(from: (x: 10, y: 5)).isEmpty)
    }
}
