import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// The cost of the map grows no faster than the service's data, and the cost of a frame is limited.
@Suite("Map cost", .ends(within: .quickTest))
struct MapCostTests {
    private static func road(_ count: Int) -> [Coordinate] {
        (0..<count).map { index in
            let way = Double(index) / Double(count)
            return Coordinate(latitude: 52.5 + 0.2 * way + 0.004 * sin(way * 90), longitude: 13.2 + 0.4 * way)
        }
    }

    private static func state(_ change: (inout Trip) throws -> Void) throws -> TripState {
        var trip = try Ride().trip(at: 105)
        try change(&trip)
        var state = TripState(id: try Ride().id())
        state.merge(.trip(trip), serverDate: nil, at: Ride.moment(105))
        return state
    }

    private static func screen(_ state: TripState, _ width: Int, _ height: Int) throws -> State {
        var screen = try Ride().screen(at: 105, width: width, height: height)
        var report = PollReport(journey: try Ride().id(), started: Ride.moment(105))
        report.outcome = .success(try #require(state.journey))
        let schedule = PollSchedule(interval: .seconds(5), next: .seconds(1110))
        _ = screen.update(.feed(.polled(report, state, schedule)))
        return screen
    }

    @Test func `700 traffic intervals over 20,000 points add no more points than the route has`() throws {
        let road = Self.road(20_000)
        let state = try Self.state { trip in
            trip.route = Route(road)
            trip.lastLocation?.coordinate = road[10]
            trip.traffic = Traffic(
                intervals: (0..<700).map { .init(start: $0, end: 19_999 - $0, speed: $0 % 2 == 0 ? .slow : .jam) }
            )
        }
        let picture = MapPicture(of: state)
        let traffic = picture.lines.filter { $0.path == .slow || $0.path == .jam }
        #expect(traffic.reduce(0) { $0 + $1.points.count } <= 20_000 + 3)
        #expect(traffic.count == 2 && picture.traffic == .jam)
    }

    @Test func `traffic stretches equal painting one interval after another, jams over slow traffic`() {
        var random = SeededGenerator(seed: 11)
        let speeds: [Traffic.Speed] = [.normal, .slow, .jam, .unrecognized("X")]
        for _ in 0..<2000 {
            let segments = Int.random(in: 0...12, using: &random)
            let intervals = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                Traffic.Interval(
                    start: Int.random(in: -3...15, using: &random),
                    end: Int.random(in: -3...15, using: &random),
                    speed: speeds[Int.random(in: 0..<speeds.count, using: &random)]
                )
            }
            var painted = [MapPicture.Path?](repeating: nil, count: segments)
            for (speed, path) in [(Traffic.Speed.slow, MapPicture.Path.slow), (.jam, .jam)] {
                for interval in intervals where interval.speed == speed {
                    for segment in 0..<segments where segment >= interval.start && segment < interval.end {
                        painted[segment] = path
                    }
                }
            }
            let stretches = RemainingRoute.stretches(intervals, segments: segments)
            var found = [MapPicture.Path?](repeating: nil, count: segments)
            for stretch in stretches {
                for segment in stretch.first..<stretch.last {
                    #expect(found[segment] == nil)
                    found[segment] = stretch.path
                }
            }
            #expect(found == painted, "\(intervals)")
            #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.last < $1.first || $0.path != $1.path })
        }
    }

    @Test func `retains every sixth of 300,000 points, with ends and traffic in place`() throws {
        let road = Self.road(200_000)
        let state = try Self.state { trip in
            trip.route = Route(road)
            trip.lastLocation?.coordinate = road[0]
            trip.traffic = Traffic(intervals: [.init(start: 60_000, end: 120_000, speed: .jam)])
            var last = Waypoint(coordinate: trip.dropoff, tripID: trip.id, kind: .dropoff)
            last.path = Self.road(100_000)
            trip.remainingWaypoints += [last]
        }
        let picture = MapPicture(of: state)
        let points = picture.lines.reduce(0) { $0 + $1.points.count }
        #expect(points <= 2 * MapPicture.maximumPoints)
        let remaining = try #require(picture.lines.first { $0.path == .remaining })
        let reference = try #require(state.journey?.lastLocation?.coordinate).longitude
        #expect(remaining.points.last == MapPicture.Point(road[199_999], near: reference))
        let jam = try #require(picture.lines.first { $0.path == .jam })
        #expect(jam.points.first == MapPicture.Point(road[60_000], near: reference))
        #expect(jam.points.last == MapPicture.Point(road[120_000], near: reference))
    }

    @Test func `stops drawing a line that covers the map many times over`() {
        var grid = BrailleGrid(in: Rect(x: 0, y: 0, width: 200, height: 60))
        let points = (0..<50_000).map { BrailleGrid.Point(x: $0 % 2 == 0 ? 0 : 399, y: Double($0 % 240)) }
        grid.polyline(points, .init(priority: 1, role: .trail))
        #expect(grid.dotsLeft <= 0 && grid.dotsLeft > -400)
        var canvas = Canvas(width: 200, height: 60)
        grid.render(into: &canvas)
        #expect(canvas.text.contains("⠭"))
    }

    @Test func `draws thousands of stops without a name for each`() throws {
        let road = Self.road(10_000)
        let state = try Self.state { trip in
            trip.intermediateDestinations = road
            trip.remainingWaypoints = road.map {
                Waypoint(coordinate: $0, tripID: trip.id, kind: .intermediateDestination)
            }
        }
        #expect(MapPicture(of: state).markers.count <= MapPicture.maximumStops + 2)
        var screen = try Self.screen(state, 200, 60)
        for keys in ["", "zzzzzzzzzz", "a", "b"] {
            for key in keys { _ = screen.update(.key(.character(key))) }
            let text = view(screen).text
            #expect(text.matches(of: /Stop \d+/).count <= 2 * Arrivals.maximumStops)
        }
    }

    @Test func `creates the map of a hidden trip when it is shown`() throws {
        var state = try Fleet.screen(width: 80, height: 24)
        #expect(state.trips[0].isMapCurrent && !state.trips[2].isMapCurrent)
        #expect(state.trips[2].map.isEmpty)
        for _ in 0..<2 { _ = state.update(.key(.character("]"))) }
        #expect(state.selected == 2 && state.trips[2].isMapCurrent)
        #expect(state.trips[2].map.lines == MapPicture(of: state.trips[2].state).lines)
    }
}
