import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Values derived from a trip's state", .ends(within: .quickTest))
struct TripStateDerivedTests {
    private let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .zero)
    private let base: Trip

    init() throws { base = try FindingScene().base }

    /// The state after answers with these changes, five seconds apart.
    private func state(_ changes: [(inout Trip) throws -> Void]) throws -> TripState {
        var state = TripState(id: .trip(base.id))
        for (index, change) in changes.enumerated() {
            var trip = base
            try change(&trip)
            state.merge(.trip(trip), serverDate: nil, at: start.advanced(by: .seconds(5 * index)))
        }
        return state
    }

    /// Each field with a change that affects only this field.
    private static let fields: [(TripField, @Sendable (inout Trip) throws -> Void)] = [
        (.vehicleId, { $0.vehicleID = try VehicleID("w") }), (.tripType, { $0.type = .shared }),
        (.tripStatus, { $0.status = .arrivedAtPickup }), (.pickupPoint, { $0.pickup?.latitude += 1 }),
        (.pickupTime, { $0.pickupTime? += 1 }), (.dropoffPoint, { $0.dropoff?.latitude += 1 }),
        (.dropoffTime, { $0.dropoffTime? += 1 }), (.lastLocation, { $0.lastLocation?.heading = 7 }),
        (.numberOfPassengers, { $0.passengers = 3 }), (.remainingWaypoints, { $0.remainingWaypoints = [] }),
        (.intermediateDestinations, { $0.intermediateDestinations = [Coordinate(latitude: 1, longitude: 1)] }),
        (.intermediateDestinationIndex, { $0.intermediateDestinationIndex = 1 }),
        (.etaToFirstWaypoint, { $0.etaToFirstWaypoint? += 1 }),
        (.remainingDistanceMeters, { $0.remainingDistance?.meters -= 1 }), (.route, { $0.routeVersion = Version("2") }),
        (.traffic, { $0.trafficVersion = Version("2") }),
        (.waypointRoutes, { $0.remainingWaypointsRouteVersion = Version("2") }),
        (
            .actualPickupPoint,
            { $0.actualPickup = StopLocation(coordinate: $0.pickup ?? .init(latitude: 0, longitude: 0), time: nil) }
        ),
        (
            .actualDropoffPoint,
            { $0.actualDropoff = StopLocation(coordinate: $0.pickup ?? .init(latitude: 0, longitude: 0), time: nil) }
        ),
        (.attributes, { $0.attributes = [Attribute(key: "tier", value: .text("gold"))] }),
    ]

    @Test func `detects a change of each of the 20 fields that rides have`() throws {
        #expect(TripField.allCases.count == 21, "the time window is of shipments")
        #expect(Set(Self.fields.map(\.0)) == Set(TripField.allCases).subtracting([.targetTimeWindow]))
        for (field, change) in Self.fields {
            #expect(try state([{ _ in }, change]).changed == [field])
        }
        // This trip has no attributes.
        #expect(try state([{ _ in }]).changed == Set(TripField.allCases).subtracting([.targetTimeWindow, .attributes]))
    }

    @Test func `ignores an answer whose parts are older than the known ones`() throws {
        let newer = "2026-03-14T08:10:00Z"
        let older = "2026-03-14T08:09:59.5Z"
        let paths: [WritableKeyPath<Trip, Version?>] = [
            \.routeVersion, \.trafficVersion, \.remainingWaypointsVersion, \.remainingWaypointsRouteVersion,
        ]
        for path in paths {
            let after = try state([
                { $0[keyPath: path] = Version(newer) },
                {
                    $0[keyPath: path] = Version(older)
                    $0.etaToFirstWaypoint? += 9
                },
            ])
            #expect(after.outdatedAnswers == 1)
            #expect(after.journey?.etaToFirstWaypoint == base.etaToFirstWaypoint)
        }
    }

    @Test func `derives the same route, time and distance from the journey sharing view`() throws {
        let state = try state([
            { trip in
                let route = try #require(trip.route)
                let (eta, distance) = (trip.etaToFirstWaypoint, trip.remainingDistance)
                trip.view = "JOURNEY_SHARING_V1S"
                trip.remainingWaypoints[0].path = route.points
                trip.remainingWaypoints[0].eta = eta
                trip.remainingWaypoints[0].distance = distance
                (trip.route, trip.routeVersion, trip.etaToFirstWaypoint, trip.remainingDistance) = (nil, nil, nil, nil)
            }
        ])
        #expect(state.journey?.route == base.route)
        #expect(state.journey?.etaToFirstWaypoint == base.etaToFirstWaypoint)
        #expect(state.journey?.remainingDistance == base.remainingDistance)
        #expect(state.nextOwnArrival?.arrival?.time == base.etaToFirstWaypoint)
    }

    @Test func `knows the arrivals at pickup, stops and drop-off, and when each was learned`() throws {
        let pickup = start.wall.addingTimeInterval(90)
        let waiting: (inout Trip) throws -> Void = { trip in
            trip.status = .enrouteToPickup
            trip.remainingWaypoints = [.pickup, .intermediateDestination, .dropoff].map {
                Waypoint(coordinate: nil, tripID: trip.id, kind: $0)
            }
            trip.remainingWaypoints[1].eta = pickup.addingTimeInterval(60)
            trip.remainingWaypoints[2].eta = trip.dropoffTime
            (trip.etaToFirstWaypoint, trip.pickupTime) = (pickup, pickup)
        }
        let arrivals = try state([waiting, waiting]).arrivals
        #expect(arrivals.pickup == Arrival(time: pickup, receivedAt: start.wall))
        #expect(arrivals.stops.map { $0?.time } == [pickup.addingTimeInterval(60)])
        #expect(arrivals.dropoff?.time == base.dropoffTime)
        #expect(try state([waiting, { _ in }]).arrivals.pickup == nil)
        #expect(try state([{ $0.status = .complete }]).arrivals.dropoff == nil)
    }

    @Test func `computes lateness and speed`() throws {
        let known = try state([{ $0.lastLocation?.coordinate = Coordinate(latitude: 0.001, longitude: 0.05) }])
        #expect(known.overdue == nil)
        let late = try state([
            { trip in
                trip.lastLocation?.serverTime = start.wall - 10
                trip.etaToFirstWaypoint = start.wall - 40
            }
        ])
        #expect(late.overdue == .seconds(30), "the vehicle reported 30 s after the expected time")
        let moved = try state([
            { _ in },
            {
                $0.lastLocation?.coordinate = Coordinate(latitude: 0, longitude: 0.001)
                $0.lastLocation?.updateTime? += 10
            },
        ])
        #expect(abs((moved.speed ?? 0) - 11.12) < 0.01)
    }

    @Test func `limits the trail to its configured length`() throws {
        var state = TripState(id: .trip(base.id), trailLength: 3)
        for second in 0..<10 {
            var trip = base
            trip.lastLocation?.coordinate?.longitude = Double(second) / 1000
            trip.lastLocation?.serverTime? += Double(second)
            state.merge(.trip(trip), serverDate: nil, at: start)
        }
        #expect(state.trail.map { $0.coordinate?.longitude } == [0.007, 0.008, 0.009])
    }
}
