import Canvas
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

/// The locations of other riders' stops are private.
///
/// Their stops are counted and not shown.
@Suite("Other riders' stops", .ends(within: .quickTest))
struct OtherRidersTests {
    private static let stop = Ride.toPickup.points[4]

    /// A trip whose vehicle serves another rider first.
    private static func state(knowsLegs: Bool, isLast: Bool = false) throws -> TripState {
        var ride = Ride()
        ride.foreignStop = stop
        var trip = try ride.trip(at: 35)
        trip.route = Route(Array(Ride.toPickup.points[...4]))
        trip.remainingDistance = Distance(meters: 400)
        if knowsLegs {
            trip.remainingWaypoints[1].path = Array(Ride.toPickup.points[4...])
            trip.remainingWaypoints[1].distance = Distance(meters: 600)
        }
        if isLast {
            var other = trip.remainingWaypoints.removeFirst()
            other.path = [Ride.dropoff, stop]
            trip.remainingWaypoints.append(other)
            trip.route = Ride.toPickup
        }
        var state = TripState(id: .trip(trip.id))
        state.merge(.trip(trip), serverDate: nil, at: Ride.moment(35))
        return state
    }

    private static func isNear(_ point: MapPicture.Point, _ place: Coordinate) -> Bool {
        let other = MapPicture.Point(place, near: place.longitude)
        return abs(point.x - other.x) < 1e-9 && abs(point.y - other.y) < 1e-9
    }

    @Test(arguments: [(true, false), (false, false), (true, true), (false, true)])
    func `another rider's stop has no marker and no end of a line`(_ knowsLegs: Bool, _ isLast: Bool) throws {
        let picture = MapPicture(of: try Self.state(knowsLegs: knowsLegs, isLast: isLast))
        #expect(picture.markers.count == 2)
        for line in picture.lines {
            let ends = [line.points.first, line.points.last].compactMap(\.self)
            #expect(ends.allSatisfy { !Self.isNear($0, Self.stop) }, "\(line.path)")
        }
        #expect(picture.lines.contains { $0.path == .remaining } == (knowsLegs || isLast))
    }

    @Test func `the route through another rider's stop continues in one line to the own stop`() throws {
        let picture = MapPicture(of: try Self.state(knowsLegs: true))
        let lines = picture.lines.filter { $0.path == .remaining }
        #expect(lines.count == 1)
        #expect(Self.isNear(try #require(lines.first?.points.last), Ride.pickup))
    }

    @Test func `no estimate stops at another rider's stop`() throws {
        var trip = try #require(try Self.state(knowsLegs: true).journey?.trip)
        trip.lastLocation?.serverTime = Ride.start.addingTimeInterval(35)
        trip.etaToFirstWaypoint = Ride.start.addingTimeInterval(45)
        var state = TripState(id: .trip(trip.id))
        state.merge(.trip(trip), serverDate: nil, at: Ride.moment(35))
        // At 20 m/s the vehicle could reach the stop before its report is old, at 1 m/s it could not.
        for (speed, moves) in [(20.0, false), (1, true)] {
            trip.lastLocation?.speed = speed
            state = TripState(id: .trip(trip.id))
            state.merge(.trip(trip), serverDate: nil, at: Ride.moment(35))
            let picture = MapPicture(of: state)
            for second in stride(from: 40.0, through: 80, by: 5) {
                let estimate = try #require(picture.estimate(at: Ride.start.addingTimeInterval(second)))
                #expect((estimate.place != picture.vehicle) == moves)
            }
        }
    }

    @Test(arguments: ["", "a", "b", "P"], [(80, 24), (120, 40), (60, 16), (40, 10)])
    func `the views count other riders' stops and show nothing else`(_ keys: String, _ size: (Int, Int)) throws {
        var screen = try PictureTests.Scene.foreign.screen(size.0, size.1, .braille)
        for key in keys { _ = screen.update(.key(.character(key))) }
        let canvas = view(screen)
        #expect(!canvas.text.contains("someone-else") && !canvas.text.contains("○ other"))
        #expect(!canvas.text.contains(" other rider") && !canvas.text.contains("another rider's stop"))
        if keys.isEmpty { #expect(canvas.text.contains("another rider first")) }
    }

    @Test func `the distance is the one to the rider's own stop, or unknown`() throws {
        for (knowsLegs, words) in [(true, "1.0 km to go"), (false, "Distance not known")] {
            let state = try Self.state(knowsLegs: knowsLegs)
            var screen = try Ride().screen(at: 30, width: 120, height: 40)
            var report = PollReport(journey: state.id, started: Ride.moment(35))
            report.outcome = .success(try #require(state.journey))
            let schedule = PollSchedule(interval: .seconds(5), next: .seconds(1040))
            _ = screen.update(.feed(.polled(report, state, schedule)))
            #expect(view(screen).text.contains(words), "\(view(screen).text)")
        }
    }

    /// For those who hear the screen.
    @Test(arguments: [(true, false), (false, true)])
    func `a vehicle at another rider's stop is not said to be not moving`(_ isAtStop: Bool, _ isSaid: Bool) throws {
        var ride = Ride()
        ride.foreignStop = isAtStop ? Self.stop : Ride.pickup
        var trip = try ride.trip(at: 35)
        trip.lastLocation?.coordinate = Self.stop
        trip.lastLocation?.speed = 0
        var state = TripState(id: .trip(trip.id))
        state.merge(.trip(trip), serverDate: nil, at: Ride.moment(35))
        for street in [nil, "Elm Close"] {
            let words = try #require(Localizer.english.position(of: state, street: street, at: Ride.moment(36)))
            #expect(words.contains("not moving") == isSaid && (street.map(words.contains) ?? true), "\(words)")
        }
    }
}
