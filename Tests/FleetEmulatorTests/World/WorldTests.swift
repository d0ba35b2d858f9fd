import Failures
import FleetEmulator
import FleetWire
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("World", .ends(within: .quickTest))
struct WorldTests {
    private let start = Date(timeIntervalSince1970: 1_773_476_100)
    private let trip: TripID
    private let vehicle: VehicleID
    private var world: World

    init() throws {
        trip = try TripID("tr-1")
        vehicle = try VehicleID("veh-1")
        world = World(provider: try ProviderID("p"))
        _ = try world.createVehicle(
            vehicle,
            try VehicleMessage(
                json:
                    #"{"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"}}"#
            ),
            at: start
        )
        _ = try world.createTrip(
            trip,
            try TripMessage(
                json:
                    #"{"tripStatus":"COMPLETE","tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}},"dropoffPoint":{"point":{"latitude":51.04,"longitude":3.71}}}"#
            ),
            at: start
        )
    }

    private mutating func report(_ json: String, mask: String, at seconds: Double) throws {
        _ = try world.updateVehicle(
            vehicle,
            mask: FieldMask(text: mask),
            try VehicleMessage(json: json),
            at: start.addingTimeInterval(seconds)
        )
    }

    private mutating func update(_ json: String, mask: String, at seconds: Double) throws -> Trip {
        try world.updateTrip(
            trip,
            mask: FieldMask(text: mask),
            try TripMessage(json: json),
            at: start.addingTimeInterval(seconds)
        )
    }

    private mutating func locate(_ latitude: Double, at seconds: Double) throws {
        try report(
            #"{"lastLocation":{"location":{"latitude":\#(latitude),"longitude":3.72},"updateTime":"2026-03-14T08:15:0\#(Int(seconds) % 10)Z"},"remainingTimeSeconds":60,"remainingDistanceMeters":500}"#,
            mask: "lastLocation,remainingTimeSeconds,remainingDistanceMeters",
            at: seconds
        )
    }

    @Test func `a new trip is NEW, whatever the body contains, and has no vehicle`() throws {
        let trip = try world.trip(trip, at: start)
        #expect(trip.status == .new)
        #expect(trip.vehicleID == nil && trip.etaToFirstWaypoint == nil && trip.remainingWaypoints.isEmpty)
    }

    @Test mutating func `a trip has route and estimates as soon as a vehicle is assigned`() throws {
        try locate(51.06, at: 1)
        let trip = try update(#"{"vehicleId":"veh-1"}"#, mask: "vehicleId", at: 2)
        #expect(trip.status == .new)
        #expect(trip.remainingWaypoints.map(\.kind) == [.pickup, .dropoff])
        #expect(trip.etaToFirstWaypoint != nil && trip.pickupTime == trip.etaToFirstWaypoint)
        #expect(trip.dropoffTime != nil && trip.route != nil && trip.routeVersion != nil)
        #expect(try world.model(of: vehicle).currentTrips == [self.trip])
    }

    @Test mutating func `deletes a trip seven days after its creation, including its waypoints`() throws {
        try locate(51.06, at: 1)
        _ = try update(#"{"vehicleId":"veh-1"}"#, mask: "vehicleId", at: 2)
        let week = 7 * 86_400.0
        world.forgetOld(at: start.addingTimeInterval(week - 100))
        #expect(try world.model(of: vehicle).waypoints.count == 2)
        try locate(51.06, at: week - 90)
        world.forgetOld(at: start.addingTimeInterval(week + 1))
        let left = try world.model(of: vehicle)
        #expect(left.currentTrips.isEmpty && left.waypoints.isEmpty)
        #expect((try? world.trip(trip, at: start)) == nil)  // the kind of error does not matter
    }

    @Test mutating func `the ETA is the service's time plus the driver's remaining time`() throws {
        try locate(51.06, at: 1)
        _ = try update(#"{"vehicleId":"veh-1"}"#, mask: "vehicleId", at: 2)
        try locate(51.058, at: 10)
        let trip = try world.trip(trip, at: start.addingTimeInterval(25))
        #expect(trip.etaToFirstWaypoint == start.addingTimeInterval(70))
        #expect(trip.remainingTime == .seconds(45))
        #expect(trip.remainingDistance == Distance(meters: 500))
    }

    @Test mutating func `each status retains and removes the fields that Fleet Engine does`() throws {
        try locate(51.06, at: 1)
        _ = try update(#"{"vehicleId":"veh-1","tripStatus":"ENROUTE_TO_PICKUP"}"#, mask: "tripStatus,vehicleId", at: 2)
        let arrived = try update(#"{"tripStatus":"ARRIVED_AT_PICKUP"}"#, mask: "tripStatus", at: 60)
        #expect(arrived.remainingWaypoints.map(\.kind) == [.pickup, .dropoff])
        #expect(arrived.actualPickup == nil)
        try locate(51.05, at: 65)
        let aboard = try update(#"{"tripStatus":"ENROUTE_TO_DROPOFF"}"#, mask: "tripStatus", at: 70)
        #expect(aboard.remainingWaypoints.map(\.kind) == [.dropoff])
        #expect(aboard.pickupTime == start.addingTimeInterval(70))
        #expect(aboard.actualPickup?.coordinate.latitude == 51.05)
        let over = try update(#"{"tripStatus":"COMPLETE"}"#, mask: "tripStatus", at: 130)
        #expect(over.dropoffTime == start.addingTimeInterval(130))
        #expect(over.actualDropoff != nil && over.vehicleID == vehicle)
        #expect(over.etaToFirstWaypoint == nil && over.route == nil && over.remainingWaypoints.isEmpty)
        #expect(over.lastLocation?.coordinate != nil && over.lastLocation?.serverTime == nil)
        #expect(try world.model(of: vehicle).currentTrips.isEmpty)
        #expect(try world.model(of: vehicle).etaToFirstWaypoint != nil)
    }

    @Test mutating func `a canceled trip loses its times and locations`() throws {
        try locate(51.06, at: 1)
        _ = try update(#"{"vehicleId":"veh-1"}"#, mask: "vehicleId", at: 2)
        let trip = try update(#"{"tripStatus":"CANCELED"}"#, mask: "tripStatus", at: 5)
        #expect(trip.pickupTime == nil && trip.dropoffTime == nil && trip.lastLocation == nil)
        #expect(trip.vehicleID == vehicle)
    }

    @Test(arguments: [
        ("COMPLETE", "ENROUTE_TO_DROPOFF"), ("CANCELED", "NEW"), ("ENROUTE_TO_DROPOFF", "ARRIVED_AT_PICKUP"),
        ("NEW", "ENROUTE_TO_INTERMEDIATE_DESTINATION"),
    ])
    mutating func `refuses a status change that goes back`(from: String, to: String) throws {
        _ = try update(#"{"tripStatus":"\#(from)"}"#, mask: "tripStatus", at: 1)
        #expect { _ = try update(#"{"tripStatus":"\#(to)"}"#, mask: "tripStatus", at: 2) } throws: { error in
            (error as? ServiceError)?.answer.status == "FAILED_PRECONDITION"
        }
    }

    @Test mutating func `a failed update changes nothing`() throws {
        let before = try world.trip(trip, at: start)
        #expect(throws: ServiceError.self) {
            _ = try update(
                #"{"vehicleId":"unknown","numberOfPassengers":3}"#,
                mask: "numberOfPassengers,vehicleId",
                at: 1
            )
        }
        #expect(try world.trip(trip, at: start) == before)
    }

    @Test mutating func `refuses a negative number of passengers, which would be free seats`() throws {
        let place = #"{"point":{"latitude":51,"longitude":3}}"#
        let body = try TripMessage(
            json: #"{"tripType":"SHARED","pickupPoint":\#(place),"numberOfPassengers":-3}"#
        )
        let other = try TripID("tr-2")
        #expect { _ = try world.createTrip(other, body, at: start) } throws: { error in
            (error as? ServiceError)?.answer.status == "INVALID_ARGUMENT"
        }
        #expect(throws: ServiceError.self) { try world.trip(other, at: start) }
    }

    @Test(arguments: ["", "pickupTime", "route", "nonsense"])
    mutating func `refuses an empty mask and read-only fields`(mask: String) throws {
        #expect { _ = try update("{}", mask: mask, at: 1) } throws: { error in
            (error as? ServiceError)?.answer.status == "INVALID_ARGUMENT"
        }
    }
}

extension TripMessage {
    init(json: String) throws {
        try self.init(body: [UInt8](json.utf8))
    }
}
