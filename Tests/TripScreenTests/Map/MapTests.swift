import Basemap
import Canvas
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripScreen

@Suite("Map", .ends(within: .minutes(10)))
struct MapTests {
    private func press(_ keys: String, _ state: inout State) {
        for key in keys { #expect(state.update(.key(.character(key))).isEmpty) }
    }

    @Test func `follows the vehicle and keeps it on the map all the way`() throws {
        var ride = Ride()
        ride.silentFrom = 500
        var state = try ride.screen(at: 20)
        press("fzzz", &state)
        #expect(state.map.mode == .follow)
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
        var before = state.map
        for second in stride(from: 80.0, through: 84, by: 0.25) {
            _ = state.update(.tick(Ride.moment(second)))
            if state.map != before { moves += 1 }
            before = state.map
        }
        #expect(moves <= 2)
    }

    @Test func `points from the border to places outside`() throws {
        var state = try Ride().screen(at: 105, width: 120, height: 40)
        press("zzzzzzz", &state)
        #expect(state.map.mode == .free)
        let text = view(state).text
        #expect(text.contains("Drop-off") && text.contains("Map, moved"))
        try ScreenFile(name: "map-moved-120x40").expect(view(state))
        press("0", &state)
        #expect(state.map.mode == .fit)
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

    @Test func `moves the vehicle along the route between two positions, hollow, and stops after a while`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try ride.screen(at: 105, width: 200, height: 60)
        let start = view(state).text
        #expect(!start.contains("◿") && !start.contains("◹"))
        _ = state.update(.tick(Ride.moment(115)))
        try ScreenFile(name: "map-estimate-200x60").expect(view(state))
        // The position is 30 s old and no longer estimated.
        _ = state.update(.tick(Ride.moment(150)))
        let text = view(state).text
        #expect(text.contains("old position"))
        #expect(!"△▷▽◁◹◿◺◸".contains { text.contains($0) })
    }

    @Test func `does not estimate the movement of a stationary vehicle`() throws {
        let ride = Ride()
        var trip = try ride.trip(at: 100)
        for (speed, moves) in [(0.0, false), (0.4, false), (3, true), (nil, true)] as [(Double?, Bool)] {
            var state = TripState(id: try ride.id())
            trip.lastLocation?.speed = speed
            state.merge(trip, serverDate: nil, at: Ride.moment(100))
            #expect((MapPicture(of: state).estimate(at: Ride.start.addingTimeInterval(110)) != nil) == moves)
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

    @Test func `no estimate is beyond the last reported arrival`() throws {
        let ride = Ride()
        var state = TripState(id: try ride.id())
        var trip = try ride.trip(at: 100)
        trip.etaToFirstWaypoint = Ride.start.addingTimeInterval(110)
        state.merge(trip, serverDate: nil, at: Ride.moment(100))
        let picture = MapPicture(of: state)
        var seen: [MapPicture.Point] = []
        for second in stride(from: 101.0, through: 140, by: 1) {
            seen.append(try #require(picture.estimate(at: Ride.start.addingTimeInterval(second))).place)
        }
        let end = try #require(seen.last)
        #expect(seen.suffix(30).allSatisfy { $0 == end })
        #expect(Set(seen.prefix(9).map(\.x)).count == 9)
        let dropoff = try #require(picture.markers.first { $0.kind == .dropoff })
        #expect(abs(end.x - dropoff.place.x) < 1e-7)
    }

    @Test func `draws, moves and follows a route of 5,000 points`() throws {
        let points = (0..<5000).map { index in
            let turn = Double(index) / 300
            return Coordinate(latitude: 52.5 + sin(turn) * 0.02 + turn / 900, longitude: 13.4 + cos(turn) * 0.03)
        }
        var trip = try Ride().trip(at: 105)
        trip.route = Route(points)
        var state = TripState(id: try Ride().id())
        state.merge(trip, serverDate: nil, at: Ride.moment(105))
        var report = PollReport(trip: try Ride().id(), started: Ride.moment(105))
        report.outcome = .success(trip)
        var screen = try Ride().screen(at: 105, width: 200, height: 60)
        let schedule = PollSchedule(interval: .seconds(5), next: .seconds(1110))
        _ = screen.update(.feed(.polled(report, state, schedule)))
        for key in "lfzb0" {
            press("\(key)", &screen)
            #expect(view(screen).text.contains("Map"))
        }
    }
}
