import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// The vehicle moves between two reports as a pure function of the reports and the time.
@Suite("Vehicle motion", .ends(within: .quickTest))
struct VehicleMotionTests {
    /// A straight street of 2 km to the north.
    private static let street = Route(
        (0...20).map { Coordinate(latitude: 52.5 + Double($0) * 100 / 111_195.08, longitude: 13.4) }
    )

    private static func time(_ second: Double) -> Date { Ride.start.addingTimeInterval(second) }

    /// A trip whose vehicle has reported a distance along the street at a second.
    private static func trip(
        meters: Double,
        speed: Double?,
        at second: Double,
        of route: Route = street,
        beside: Double = 0
    ) throws -> Trip {
        var trip = try Ride().trip(at: 100)
        trip.route = route
        trip.traffic = nil
        var location = VehicleLocation(coordinate: route.position(at: meters)?.coordinate)
        location.coordinate?.longitude += beside / 67_690
        location.speed = speed
        location.serverTime = time(second)
        location.heading = 90
        trip.lastLocation = location
        trip.etaToFirstWaypoint = time(second + 100)
        return trip
    }

    private static func motion(_ trip: Trip, _ reports: PositionReports = PositionReports()) throws -> VehicleMotion {
        let way = RemainingRoute(of: .trip(trip), from: trip.lastLocation?.coordinate, maximumPoints: 50_000)
        return try #require(VehicleMotion(of: .trip(trip), on: way, reports))
    }

    /// The motion after a second report, which arrives at a second.
    private static func motion(_ first: Trip, _ second: Trip, arrived: Double) throws -> VehicleMotion {
        var reports = PositionReports()
        reports.add(first.lastLocation, at: time(0))
        reports.add(second.lastLocation, at: time(arrived))
        return try motion(second, reports)
    }

    /// The distance along the street.
    private static func meters(_ place: VehicleMotion.Place) throws -> Double {
        try #require(street.nearest(to: place.coordinate)).offset
    }

    @Test func `moves at the reported speed for five seconds`() throws {
        let motion = try Self.motion(Self.trip(meters: 500, speed: 10, at: 0))
        for second in [0, 0.125, 1, 2.5, 5] {
            #expect(abs(try Self.meters(motion.place(at: Self.time(second))) - 500 - second * 10) < 0.5)
        }
    }

    @Test func `becomes slower as the report ages, and stands after 30 seconds`() throws {
        let motion = try Self.motion(Self.trip(meters: 500, speed: 10, at: 0))
        let places = try (0...60).map { try Self.meters(motion.place(at: Self.time(Double($0)))) }
        let steps = zip(places, places.dropFirst()).map { $1 - $0 }
        #expect(zip(steps[5..<30], steps[6..<31]).allSatisfy { $0 > $1 - 0.01 })
        #expect(steps[30...].allSatisfy { abs($0) < 0.01 })
        #expect(abs(places[60] - 675) < 0.5)
    }

    @Test func `never moves beyond the next stop`() throws {
        let motion = try Self.motion(Self.trip(meters: 1950, speed: 10, at: 0))
        for second in 5...90 {
            #expect(abs(try Self.meters(motion.place(at: Self.time(Double(second)))) - 2000) < 0.5)
        }
    }

    @Test(arguments: [(0.0, false), (0.4, false), (-0.1, false), (3, true)])
    func `a vehicle that stands does not move`(_ example: (speed: Double, moves: Bool)) throws {
        let motion = try Self.motion(Self.trip(meters: 500, speed: example.speed, at: 0))
        let place = motion.place(at: Self.time(4))
        #expect((try Self.meters(place) > 501) == example.moves)
        #expect(place.tail.isEmpty != example.moves)
    }

    @Test func `without a speed it moves as the expected arrival says`() throws {
        let motion = try Self.motion(Self.trip(meters: 500, speed: nil, at: 0))
        #expect(abs(try Self.meters(motion.place(at: Self.time(4))) - 560) < 0.5)
    }

    @Test func `away from the route it stays at its report`() throws {
        let trip = try Self.trip(meters: 500, speed: 10, at: 0, beside: 100)
        let place = try Self.motion(trip).place(at: Self.time(20))
        #expect(place.coordinate == trip.lastLocation?.coordinate && place.tail.isEmpty)
    }

    @Test func `waiting at a stop it stays at its report`() throws {
        var trip = try Self.trip(meters: 500, speed: 10, at: 0)
        trip.status = .arrivedAtPickup
        #expect(try Self.motion(trip).place(at: Self.time(20)).coordinate == trip.lastLocation?.coordinate)
    }

    @Test func `the tail goes from the report to the place`() throws {
        let trip = try Self.trip(meters: 550, speed: 10, at: 0)
        let place = try Self.motion(trip).place(at: Self.time(20))
        let tail = place.tail
        #expect(tail.last == place.coordinate && tail.count == 4)
        #expect(try #require(tail.first).distance(to: #require(trip.lastLocation?.coordinate)).meters < 0.5)
        #expect(place.heading.map { abs($0) < 0.1 } ?? false)
    }

    // MARK: A new report

    @Test(arguments: [560.0, 530, 545])
    func `moves to the truth within a second, without a jump`(_ truth: Double) throws {
        let first = try Self.trip(meters: 500, speed: 10, at: 0)
        let before = try Self.motion(first)
        let after = try Self.motion(first, Self.trip(meters: truth, speed: 10, at: 5), arrived: 5)
        let shown = try Self.meters(before.place(at: Self.time(5)))
        #expect(abs(try Self.meters(after.place(at: Self.time(5))) - shown) < 0.5)
        #expect(abs(try Self.meters(after.place(at: Self.time(6))) - truth - 10) < 0.5)
        let places = try (0...16).map { try Self.meters(after.place(at: Self.time(5 + Double($0) / 8))) }
        let steps = zip(places, places.dropFirst()).map { $1 - $0 }
        // An eighth of the difference and of the way of a second, per frame.
        #expect(steps.allSatisfy { abs($0) < abs(truth - shown) / 8 + 1.25 + 0.1 })
    }

    @Test func `a vehicle that was shown at most a second ahead waits and does not move back`() throws {
        let first = try Self.trip(meters: 500, speed: 10, at: 0)
        let after = try Self.motion(first, Self.trip(meters: 541, speed: 10, at: 5), arrived: 5)
        let places = try (0...16).map { try Self.meters(after.place(at: Self.time(5 + Double($0) / 8))) }
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 + 0.05 })
    }

    @Test func `a new route begins where the vehicle was shown`() throws {
        let first = try Self.trip(meters: 500, speed: 10, at: 0)
        let turned = Route([
            Coordinate(latitude: 52.5, longitude: 13.41), Coordinate(latitude: 52.51, longitude: 13.41),
        ])
        let second = try Self.trip(meters: 300, speed: 10, at: 5, of: turned)
        let after = try Self.motion(first, second, arrived: 5)
        let start = try #require(first.lastLocation?.coordinate)
        #expect(after.place(at: Self.time(5)).coordinate.distance(to: start).meters < 1)
        let truth = try #require(turned.position(at: 310)).coordinate
        #expect(after.place(at: Self.time(6)).coordinate.distance(to: truth).meters < 1)
    }

    @Test func `after a long gap between two reports it does not move across the map`() throws {
        let first = try Self.trip(meters: 100, speed: 10, at: 0)
        let second = try Self.trip(meters: 1500, speed: 10, at: 120)
        let after = try Self.motion(first, second, arrived: 121)
        #expect(abs(try Self.meters(after.place(at: Self.time(121))) - 1510) < 0.5)
    }

    @Test func `the same report in another answer changes nothing`() throws {
        let first = try Self.trip(meters: 500, speed: 10, at: 0)
        let second = try Self.trip(meters: 560, speed: 10, at: 5)
        var reports = PositionReports()
        reports.add(first.lastLocation, at: Self.time(0))
        reports.add(second.lastLocation, at: Self.time(6))
        let known = reports
        reports.add(second.lastLocation, at: Self.time(9))
        reports.add(nil, at: Self.time(10))
        #expect(reports == known)
    }

    // MARK: The screen

    @Test func `wakes only when the vehicle is shown in another dot, at most eight times per second`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try ride.screen(at: 105, width: 120, height: 40)
        _ = state.update(.tick(Ride.moment(107.01)))
        var frames = 0
        var moment = state.now
        let end = Ride.moment(110)
        var last = view(state)
        while moment.steady < end.steady {
            let wait = try #require(state.nextTick(after: moment))
            #expect(wait >= .milliseconds(100) && wait <= .milliseconds(1001))
            moment = moment.advanced(by: wait)
            _ = state.update(.tick(moment))
            let canvas = view(state)
            #expect(canvas != last)
            last = canvas
            frames += 1
        }
        #expect((3...24).contains(frames))
        // Close up the vehicle moves in each frame; calm, once per second.
        state.panels.trip.map.mode = .follow
        state.panels.trip.map.scale = 2 / (try #require(state.trip).map.unitsPerMeter)
        _ = state.update(.tick(moment))
        #expect(try #require(state.nextTick(after: moment)) == .milliseconds(125))
        #expect(try #require(state.nextTick(after: moment, glides: false)) > .milliseconds(125))
    }

    @Test func `one vehicle is on the map, and o marks the reports`() throws {
        var ride = Ride()
        ride.hasTraffic = false
        var state = try ride.screen(at: 105, width: 120, height: 40)
        _ = state.update(.tick(Ride.moment(112)))
        func signs(_ canvas: Canvas) -> [String] {
            (0..<40).flatMap { y in
                (0..<70).compactMap { x in
                    canvas[x, y].flatMap { $0.role == .vehicle && $0.text != " " ? $0.text : nil }
                }
            }
        }
        let moving = view(state)
        #expect(signs(moving).count == 1)
        _ = state.update(.key(.character("o")))
        let reports = view(state)
        #expect(signs(reports).count == 1 && reports.text.contains("Map, reports only"))
        #expect(reports.text.filter { $0 == "•" }.count > moving.text.filter { $0 == "•" }.count + 3)
        #expect(state.nextGlide(after: state.now, within: .seconds(5)) == nil)
        _ = state.update(.key(.character("o")))
        #expect(view(state) == moving)
    }

    @Test func `an old position stands, is faded, and says how old it is`() throws {
        var ride = Ride()
        ride.silentFrom = 105
        ride.hasTraffic = false
        var state = try ride.screen(at: 135, width: 120, height: 40)
        #expect(view(state).text.contains("old position, 32 s"))
        #expect(state.nextGlide(after: state.now, within: .seconds(1)) == nil)
        _ = state.update(.tick(Ride.moment(139)))
        #expect(view(state).text.contains("old position, 34 s"))
    }
}
