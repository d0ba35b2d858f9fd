import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Map", .ends(within: .quickTest))
struct MapTests {
    private func press(_ keys: String, _ state: inout State) {
        for key in keys { #expect(state.update(.key(.character(key))).isEmpty) }
    }

    @Test func `follows the vehicle and shows it on the map all the way`() throws {
        var ride = Ride()
        ride.silentFrom = 500
        var state = try ride.screen(at: 20)
        press("fzzz", &state)
        #expect(state.panels.trip.map.mode == .follow)
        for message in try ride.messages(until: 165).dropFirst(10) {
            _ = state.update(message)
            let text = view(state).text
            let shown = "▲►▼◄◥◢◣◤△▷▽◁◹◿◺◸".contains { text.contains($0) }
            #expect(shown, "the vehicle has left the map:\n\(text)")
        }
    }

    @Test func `moves rarely while it follows the vehicle`() throws {
        let ride = Ride()
        var state = try ride.screen(at: 80)
        press("f", &state)
        var moves = 0
        var before = state.panels.trip.map
        for second in stride(from: 80.0, through: 84, by: 0.25) {
            _ = state.update(.tick(Ride.moment(second)))
            if state.panels.trip.map != before { moves += 1 }
            before = state.panels.trip.map
        }
        #expect(moves <= 2)
    }

    @Test func `points from the border to places outside`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        press("zzzzzzz", &state)
        #expect(state.panels.trip.map.mode == .free)
        let text = view(state).text
        #expect(text.contains("Drop-off") && text.contains("Map, moved"))
        try ScreenFile(name: "map-moved-120x40").expect(view(state))
        press("0", &state)
        #expect(state.panels.trip.map.mode == .fit)
        let map = try #require(state.trip).map
        #expect(state.camera(map, in: state.mapRect) == state.bestFit(map, in: state.mapRect))
    }

    @Test func `moves and zooms without limits or traps`() throws {
        var state = try Ride().screen(at: 105)
        var random = SeededGenerator(seed: 7)
        let keys = Array("hjklzZ><fb0")
        for _ in 0..<3000 {
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            #expect(state.update(.key(.character(key))).isEmpty)
            if Int.random(in: 0..<20, using: &random) == 0 { #expect(view(state).width == state.width) }
        }
        press("0", &state)
        for _ in 0..<200 { press("z", &state) }
        #expect(view(state).text.contains("Map, moved"))
        for _ in 0..<400 { press("Z", &state) }
        #expect(view(state).text.contains("Map, moved"))
    }

    @Test func `the big map replaces the panels`() throws {
        var state = try Ride().screen(at: 105)
        press("b", &state)
        try ScreenFile(name: "map-big-80x24").expect(view(state))
        press("b", &state)
        #expect(view(state).text.contains("Polling"))
    }

    @Test func `moves the vehicle along the route between two positions, and stops after a while`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try ride.screen(at: 105, width: 200, height: 60)
        _ = state.update(.tick(Ride.moment(115)))
        try ScreenFile(name: "map-estimate-200x60").expect(view(state))
        _ = state.update(.tick(Ride.moment(150)))
        #expect(view(state).text.contains("old position, 45 s"))
    }

    @Test func `does not estimate the movement of a stationary vehicle`() throws {
        let ride = Ride()
        var trip = try ride.trip(at: 100)
        for (speed, moves) in [(0.0, false), (0.4, false), (3, true), (nil, true)] as [(Double?, Bool)] {
            var state = TripState(id: try ride.id())
            trip.lastLocation?.speed = speed
            state.merge(.trip(trip), serverDate: nil, at: Ride.moment(100))
            let picture = MapPicture(of: state)
            #expect((picture.estimate(at: Ride.start.addingTimeInterval(110))?.place != picture.vehicle) == moves)
        }
    }

    @Test func `draws the later route and the driven route as separate lines`() throws {
        let state = try Ride().screen(at: 35, width: 120, height: 40)
        let canvas = view(state)
        let roles = Set((0..<40).flatMap { y in (0..<70).compactMap { canvas[$0, y]?.role } })
        #expect(roles.isSuperset(of: [.routeOther, .routeRemaining, .trail]))
        #expect(MapView.style(.later).pattern == .solid && MapView.style(.trail).pattern == .dotted)
        // The measured trail is above the planned route where the vehicle has been.
        #expect(MapView.style(.trail).layer.priority > MapView.style(.driven).layer.priority)
    }

    @Test func `draws, moves and follows a route of 5,000 points`() throws {
        let points = (0..<5000).map { index in
            let turn = Double(index) / 300
            return Coordinate(latitude: 52.5 + sin(turn) * 0.02 + turn / 900, longitude: 13.4 + cos(turn) * 0.03)
        }
        var trip = try Ride().trip(at: 105)
        trip.route = Route(points)
        var state = TripState(id: try Ride().id())
        state.merge(.trip(trip), serverDate: nil, at: Ride.moment(105))
        var report = PollReport(journey: try Ride().id(), started: Ride.moment(105))
        report.outcome = .success(.trip(trip))
        var screen = try Ride().screen(at: 105, width: 200, height: 60)
        let schedule = PollSchedule(interval: .seconds(5), next: .seconds(1110))
        _ = screen.update(.feed(.polled(report, state, schedule)))
        for key in "lfzb0" {
            press("\(key)", &screen)
            #expect(view(screen).text.contains("Map"))
        }
    }
}
