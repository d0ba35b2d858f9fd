import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Trip state", .ends(within: .quickTest))
struct TripStateTests {
    private let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_311), steady: .zero)
    private let base: Trip

    init() throws {
        var trip = Trip(id: try TripID("mine"), provider: try ProviderID("p"), status: .enrouteToPickup)
        trip.vehicleID = try VehicleID("v")
        trip.route = Route([Coordinate(latitude: 1, longitude: 1), Coordinate(latitude: 1, longitude: 1.01)])
        trip.routeVersion = Version("2026-03-14T08:00:00Z")
        trip.traffic = Traffic(intervals: [.init(start: 0, end: 1, speed: .slow)])
        trip.trafficVersion = Version("2026-03-14T08:00:01Z")
        trip.remainingWaypointsRouteVersion = Version("2026-03-14T08:00:02Z")
        var dropoff = Waypoint(coordinate: Coordinate(latitude: 2, longitude: 2), tripID: trip.id, kind: .dropoff)
        dropoff.path = [Coordinate(latitude: 1, longitude: 1.01), Coordinate(latitude: 2, longitude: 2)]
        trip.remainingWaypoints = [
            Waypoint(coordinate: Coordinate(latitude: 1, longitude: 1.01), tripID: trip.id, kind: .pickup), dropoff,
        ]
        trip.etaToFirstWaypoint = Date(timeIntervalSince1970: 1_773_476_400)
        trip.pickupTime = trip.etaToFirstWaypoint
        trip.dropoffTime = Date(timeIntervalSince1970: 1_773_477_000)
        var location = VehicleLocation(coordinate: Coordinate(latitude: 1, longitude: 1))
        location.serverTime = Date(timeIntervalSince1970: 1_773_476_309)
        location.updateTime = Date(timeIntervalSince1970: 1_773_476_308)
        trip.lastLocation = location
        base = trip
    }

    private func state(of answers: Trip...) -> TripState {
        var state = TripState(id: .trip(base.id))
        for (index, answer) in answers.enumerated() {
            state.merge(.trip(answer), serverDate: nil, at: start.advanced(by: .seconds(5 * index)))
        }
        return state
    }

    private func changed(_ change: (inout Trip) -> Void) -> Trip {
        var trip = base
        change(&trip)
        return trip
    }

    @Test func `retains values that the service omits because they have not changed`() {
        let lean = changed {
            $0.route = nil
            $0.traffic = nil
            for index in $0.remainingWaypoints.indices { $0.remainingWaypoints[index].path = nil }
        }
        let state = state(of: base, lean)
        #expect(state.journey?.route == base.route)
        #expect(state.journey?.traffic == base.traffic)
        #expect(state.journey?.remainingWaypoints.last?.path == base.remainingWaypoints.last?.path)
        #expect(state.changed.isEmpty)
        #expect(state.versions.route == base.routeVersion)
        #expect(state.versions.traffic == base.trafficVersion)
        #expect(state.versions.waypointsRoute == base.remainingWaypointsRouteVersion)
    }

    @Test func `drops a route whose version has changed or is missing`() {
        let moved = changed {
            $0.route = nil
            $0.routeVersion = Version("2026-03-14T09:00:00Z")
        }
        #expect(state(of: base, moved).journey?.route == nil)
        #expect(state(of: base, moved).versions.route == nil)
        let gone = changed {
            $0.route = nil
            $0.routeVersion = nil
        }
        #expect(state(of: base, gone).journey?.route == nil)
    }

    @Test func `drops the route and arrivals of a trip that has ended`() {
        let over = changed {
            $0.status = .complete
            $0.route = nil
            $0.remainingWaypoints = []
            $0.etaToFirstWaypoint = nil
        }
        let state = state(of: base, over)
        #expect(state.journey?.route == nil)
        #expect(state.nextOwnArrival == nil)
        #expect(state.statuses.map(\.status) == [.trip(.enrouteToPickup), .trip(.complete)])
        #expect(state.versions.route == nil)
    }

    @Test func `ignores an older answer`() {
        let newer = changed { $0.lastLocation?.serverTime = Date(timeIntervalSince1970: 1_773_476_314) }
        let before = state(of: newer)
        let after = state(of: newer, base)
        #expect(after.journey == before.journey)
        #expect(after.outdatedAnswers == 1)
        let over = changed { $0.status = .complete }
        #expect(state(of: over, base).journey?.status == .trip(.complete))
    }

    @Test func `accepts a later status with an older position, and retains the newer position`() {
        let newer = changed { $0.lastLocation?.serverTime = Date(timeIntervalSince1970: 1_773_476_314) }
        let arrived = changed { $0.status = .arrivedAtPickup }
        let after = state(of: newer, arrived)
        #expect(after.journey?.status == .trip(.arrivedAtPickup) && after.outdatedAnswers == 0)
        #expect(after.journey?.lastLocation == newer.lastLocation)
        #expect(after.trail.count == 1)
    }

    @Test func `ignores the status of an answer with an earlier Date header`() {
        var state = TripState(id: .trip(base.id))
        state.merge(.trip(base), serverDate: start.wall, at: start)
        let old = changed {
            $0.status = .new
            $0.lastLocation = nil
            $0.vehicleID = nil
        }
        state.merge(.trip(old), serverDate: start.wall.addingTimeInterval(-20), at: start.advanced(by: .seconds(5)))
        #expect(state.journey?.status == .trip(.enrouteToPickup))
        #expect(state.outdatedAnswers == 1 && state.clockOffset == .zero)
        // A larger difference means that the service's clock was set back, so that the answer counts.
        state.merge(.trip(base), serverDate: start.wall.addingTimeInterval(-60), at: start.advanced(by: .seconds(10)))
        #expect(state.outdatedAnswers == 1 && state.clockOffset == .seconds(-70))
    }

    @Test func `an answer from a cache is older than its time of sending`() {
        var state = TripState(id: .trip(base.id))
        state.merge(.trip(base), serverDate: start.wall, at: start)
        let old = changed {
            $0.status = .new
            $0.lastLocation = nil
            $0.vehicleID = nil
        }
        let now = start.advanced(by: .seconds(5))
        state.merge(.trip(old), serverDate: now.wall, cacheAge: .seconds(200), at: now)
        #expect(state.journey?.status == .trip(.enrouteToPickup))
        #expect(state.outdatedAnswers == 1 && state.clockOffset == .zero)
    }

    @Test func `an old answer after the local clock was set leaves the service's time as it was`() {
        var state = TripState(id: .trip(base.id))
        state.merge(.trip(base), serverDate: start.wall, at: start)
        let old = changed { $0.lastLocation?.serverTime = start.wall - 30 }
        let set = Moment(wall: start.wall + 605, steady: start.steady + .seconds(5))
        state.merge(.trip(old), serverDate: set.wall - 600, cacheAge: .seconds(28), at: set)
        #expect(state.outdatedAnswers == 1 && state.serviceTime(set) == start.wall + 5)
    }

    @Test func `accepts any order of statuses`() {
        let back = changed {
            $0.status = .new
            $0.lastLocation = nil
        }
        let unknown = changed { $0.status = .unrecognized("BOARDING") }
        #expect(
            state(of: base, back, unknown).statuses.map(\.status) == [
                .trip(.enrouteToPickup), .trip(.new), .trip(.unrecognized("BOARDING")),
            ]
        )
    }

    @Test func `computes the age of a position since it was received and since it was measured`() {
        let state = state(of: base)
        #expect(state.receivedAge(at: start) == .seconds(2))
        #expect(state.measuredAge(at: start.advanced(by: .seconds(10))) == .seconds(13))
        #expect(TripState(id: .trip(base.id)).receivedAge(at: start) == nil)
    }

    @Test func `takes the service's clock from its Date header`() {
        var state = TripState(id: .trip(base.id))
        state.merge(.trip(base), serverDate: start.wall.addingTimeInterval(180), at: start)
        #expect(state.clockOffset == .seconds(180))
        #expect(state.receivedAge(at: start) == .seconds(182))
        state.merge(.trip(base), serverDate: start.wall.addingTimeInterval(1), at: start)
        #expect(state.clockOffset == .zero)
    }

    @Test func `does not mistake a slow answer for a clock difference`() {
        var state = TripState(id: .trip(base.id))
        let slow = start.advanced(by: .seconds(12))
        state.merge(.trip(base), serverDate: start.wall.addingTimeInterval(1), sent: start, at: slow)
        #expect(state.clockOffset == .zero)
        state.merge(.trip(base), serverDate: start.wall.addingTimeInterval(-60), sent: start, at: slow)
        #expect(state.clockOffset == .seconds(-72))
    }

    @Test(arguments: [-900.0, 900])
    func `knows the service's time after the wall clock was set during a request`(_ step: Double) {
        var state = TripState(id: .trip(base.id))
        let received = Moment(wall: start.wall + 2 + step, steady: start.steady + .seconds(2))
        state.merge(.trip(base), serverDate: start.wall + 1, sent: start, at: received)
        #expect(state.clockOffset == .seconds(-1 - step))
    }

    @Test func `ages continue when the wall clock is set`() {
        let state = state(of: base)
        let stepped = Moment(wall: start.wall.addingTimeInterval(3600), steady: .seconds(10))
        #expect(state.receivedAge(at: stepped) == .seconds(12))
    }

    @Test func `the next arrival is this rider's own stop, not another rider's`() throws {
        let other = try TripID("other")
        let behind = changed {
            $0.remainingWaypoints.insert(
                Waypoint(coordinate: Coordinate(latitude: 3, longitude: 3), tripID: other, kind: .dropoff),
                at: 0
            )
            $0.etaToFirstWaypoint = Date(timeIntervalSince1970: 1_773_476_350)
            $0.remainingWaypoints[1].eta = Date(timeIntervalSince1970: 1_773_476_500)
        }
        let state = state(of: behind)
        #expect(state.foreignWaypointsAhead == 1)
        #expect(state.nextOwnArrival?.kind == .pickup)
        #expect(state.nextOwnArrival?.arrival?.time == Date(timeIntervalSince1970: 1_773_476_500))
    }

    @Test func `records each predicted time once`() {
        let later = changed { $0.dropoffTime = Date(timeIntervalSince1970: 1_773_477_100) }
        let state = state(of: base, base, later)
        #expect(state.dropoffEstimates.map(\.time) == [base.dropoffTime, later.dropoffTime])
        #expect(state.changed == [.dropoffTime])
    }
}
