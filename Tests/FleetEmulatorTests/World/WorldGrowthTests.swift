import Failures
import FleetEmulator
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("A world with many trips", .ends(within: .longTest), .serialized)
struct WorldGrowthTests {
    /// The seconds of processor time that a service takes to create trips when it already has this many.
    private func seconds(creating count: Int, after before: Int, on service: FleetService) throws -> Double {
        let pickup = #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}}}"#
        let body = try TripMessage(body: Array(pickup.utf8))
        let caller = Caller(role: .server, tripID: "*", vehicleID: "*")
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let time = try ProcessorTime.used {
            for number in before..<before + count {
                _ = try service.call(.createTrip(try TripID("trip-\(number)"), body), by: caller, at: now)
            }
        }
        return time.seconds
    }

    @Test func `a trip takes as long to create among 20,000 as among 1,000`() throws {
        let service = FleetService(.world(World(provider: try ProviderID("p"))))
        _ = try seconds(creating: 500, after: 0, on: service)
        let early = try seconds(creating: 1000, after: 500, on: service)
        _ = try seconds(creating: 17_500, after: 1500, on: service)
        let late = try seconds(creating: 1000, after: 19_000, on: service)
        // Copying all trips would take 20 times as long. Caches that other load uses can make it a few times as long.
        #expect(late < early * 8, "\(late) s after \(early) s")
    }

    @Test func `a failed change leaves trip, vehicle and the vehicle's other trips unchanged`() throws {
        var world = World(provider: try ProviderID("p"))
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let vehicle = try VehicleID("v")
        let online =
            #"{"vehicleState":"ONLINE","supportedTripTypes":["SHARED"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"},"lastLocation":{"location":{"latitude":51.06,"longitude":3.72}}}"#
        _ = try world.createVehicle(vehicle, try VehicleMessage(body: Array(online.utf8)), at: now)
        let shared =
            #"{"tripType":"SHARED","pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}},"dropoffPoint":{"point":{"latitude":51.04,"longitude":3.72}},"vehicleId":"v"}"#
        let (one, two) = (try TripID("one"), try TripID("two"))
        _ = try world.createTrip(one, try TripMessage(body: Array(shared.utf8)), at: now)
        let before = (try world.trip(one, at: now), try world.vehicle(vehicle))
        // The order omits waypoints that the vehicle must visit.
        let order = #""vehicleWaypoints":[{"tripId":"two","waypointType":"PICKUP_WAYPOINT_TYPE"}]"#
        let bad = try TripMessage(body: Array((shared.dropLast() + ",\(order)}").utf8))
        #expect(throws: ServiceError.self) { try world.createTrip(two, bad, at: now + 5) }
        #expect(throws: ServiceError.self) {
            try world.updateTrip(one, mask: FieldMask(text: "tripStatus,vehicleWaypoints"), bad, at: now + 5)
        }
        #expect(throws: ServiceError.self) { try world.trip(two, at: now) }
        let after = (try world.trip(one, at: now), try world.vehicle(vehicle))
        #expect(after == before)
    }

    @Test func `an operator's token is used for half of its lifetime`() async throws {
        let clock = ManualClock()
        let router = RequestRouter(
            FleetService(.world(World(provider: try ProviderID("p")))),
            keys: try await SharedKeys.keys,
            options: EmulatorOptions(),
            clock: clock,
            faults: FaultInjector()
        )
        let first = try await router.operatorToken()
        clock.advance(by: .seconds(1640))
        #expect(try await router.operatorToken() == first)
        clock.advance(by: .seconds(20))
        #expect(try await router.operatorToken() != first)
    }
}
