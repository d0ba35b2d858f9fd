import Failures
import FleetEmulator
import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// The calls of a backend and of its driver arrive in any order that their dependencies allow.
@Suite("World: order of calls", .ends(within: .quickTest))
struct CallOrderTests {
    /// A call with the calls that must precede it, by their indices.
    private struct Call {
        let name: String
        let after: [Int]
        let perform: (inout World) throws -> Void
    }

    private static let now = Date(timeIntervalSince1970: 1_773_476_100)
    private static let vehicle = try? VehicleID("veh-1")
    private static let ids = (1...2).compactMap { try? TripID("tr-\($0)") }

    private static func place(_ random: inout SeededGenerator) -> String {
        let latitude = Double.random(in: 51.0...51.1, using: &random)
        return #"{"latitude":\#(latitude),"longitude":\#(Double.random(in: 3.7...3.8, using: &random))}"#
    }

    private static func report(_ json: String, _ mask: String, in world: inout World) throws {
        let vehicle = try #require(vehicle)
        _ = try world.updateVehicle(vehicle, mask: FieldMask(text: mask), VehicleMessage(json: json), at: now)
    }

    /// Returns the calls of one or two rides; all but positions and statuses depend on creations only.
    private static func calls(_ random: inout SeededGenerator) throws -> [Call] {
        let vehicle = try #require(vehicle)
        var calls = [
            Call(name: "vehicle", after: []) { world in
                let body = try VehicleMessage(
                    json: #"""
                        {"vehicleState":"ONLINE","supportedTripTypes":["SHARED"],"maximumCapacity":4,
                         "vehicleType":{"category":"AUTO"}}
                        """#
                )
                _ = try world.createVehicle(vehicle, body, at: now)
            }
        ]
        var before = 0
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let location = place(&random)
            // Positions that could not be sent in time have another field.
            let isPast = Bool.random(using: &random)
            let position = #"{"location":\#(location)}"#
            let body = isPast ? #"{"pastLocations":[\#(position)]}"# : #"{"lastLocation":\#(position)}"#
            calls.append(
                Call(name: isPast ? "past position" : "position", after: [before]) { world in
                    try report(body, isPast ? "pastLocations" : "lastLocation", in: &world)
                }
            )
            before = calls.count - 1
        }
        // The order of the assignments is that of the waypoints.
        var assignment = 0
        for id in ids.prefix(.random(in: 1...2, using: &random)) {
            let points = #""pickupPoint":{"point":\#(place(&random))},"dropoffPoint":{"point":\#(place(&random))}"#
            calls.append(
                Call(name: "create \(id)", after: []) { world in
                    let body = try TripMessage(json: #"{"tripType":"SHARED",\#(points)}"#)
                    _ = try world.createTrip(id, body, at: now)
                }
            )
            let creation = calls.count - 1
            calls.append(
                Call(name: "assign \(id)", after: [creation, assignment]) { world in
                    var body = TripMessage()
                    body.vehicleID = vehicle.rawValue
                    _ = try world.updateTrip(id, mask: FieldMask(["vehicleId"]), body, at: now)
                }
            )
            assignment = calls.count - 1
            var previous = creation
            let statuses: [TripStatus] = [.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff]
            for status in statuses.prefix(.random(in: 0...3, using: &random)) {
                calls.append(
                    Call(name: "\(id) \(status.name)", after: [previous]) { world in
                        var body = TripMessage()
                        body.status = status
                        _ = try world.updateTrip(id, mask: FieldMask(["tripStatus"]), body, at: now)
                    }
                )
                previous = calls.count - 1
            }
        }
        return calls
    }

    /// Returns all answers of the service after calls in an order.
    private static func answers(_ calls: [Call], _ order: [Int]) throws -> (vehicle: Vehicle, trips: [Trip]) {
        var world = World(provider: try ProviderID("p"))
        for index in order { try calls[index].perform(&world) }
        let vehicle = try world.model(of: try #require(vehicle))
        let trips = try vehicle.currentTrips.map {
            var trip = try world.trip($0, at: now)
            // The place of the pickup is the position at the time of that call.
            trip.actualPickup = nil
            return trip
        }
        return (vehicle, trips)
    }

    /// Returns a random order in which each call comes after those that it depends on.
    private static func order(of calls: [Call], _ random: inout SeededGenerator) -> [Int] {
        var order: [Int] = []
        while order.count < calls.count {
            let ready = calls.indices.filter { !order.contains($0) && calls[$0].after.allSatisfy(order.contains) }
            guard let next = ready.randomElement(using: &random) else { break }
            order.append(next)
        }
        return order
    }

    @Test func `the answers at the end do not depend on the order of the calls`() throws {
        for seed in 0..<60 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let calls = try Self.calls(&random)
            let expected = try Self.answers(calls, Array(calls.indices))
            #expect(expected.vehicle.etaToFirstWaypoint != nil && expected.vehicle.route != nil, "seed \(seed)")
            for trip in expected.trips {
                #expect(trip.pickupTime != nil && trip.dropoffTime != nil, "seed \(seed) \(trip.id)")
            }
            for _ in 0..<10 {
                let order = Self.order(of: calls, &random)
                let answers = try Self.answers(calls, order)
                let names = order.map { calls[$0].name }.joined(separator: ", ")
                #expect(answers == expected, "seed \(seed): \(names)")
            }
        }
    }

    @Test func `the way that the driver sends is not replaced by an estimate from a later position`() throws {
        var random = SeededGenerator(seed: 1)
        let calls = try Self.calls(&random)
        var world = World(provider: try ProviderID("p"))
        for call in calls where call.name == "vehicle" || call.name == "create tr-1" || call.name == "assign tr-1" {
            try call.perform(&world)
        }
        let vehicle = try #require(Self.vehicle)
        let position = #""lastLocation":{"location":{"latitude":51.01,"longitude":3.7}}"#
        // The driver knows the time and the distance with its first position, but not the way.
        try Self.report(
            #"{"remainingTimeSeconds":78,"remainingDistanceMeters":420,\#(position)}"#,
            "lastLocation,remainingTimeSeconds,remainingDistanceMeters",
            in: &world
        )
        var stored = try world.model(of: vehicle)
        #expect(stored.etaToFirstWaypoint == Self.now + 78 && stored.remainingDistance?.meters == 420)
        // The encoding of a path snaps its points to cells.
        let start = try S2Polyline.decode(S2Polyline.encode([Coordinate(latitude: 51.01, longitude: 3.7)]))
        #expect(stored.route?.points.first == start.first)
        let path = S2Polyline.encode([
            Coordinate(latitude: 51, longitude: 3.7), Coordinate(latitude: 51.02, longitude: 3.71),
        ])
        let route = try VehicleMessage(json: #"{"currentRouteSegment":"\#(path)"}"#)
        _ = try world.updateVehicle(vehicle, mask: FieldMask(["currentRouteSegment"]), route, at: Self.now)
        let later = #"{"lastLocation":{"location":{"latitude":51.02,"longitude":3.7}}}"#
        try Self.report(later, "lastLocation", in: &world)
        stored = try world.model(of: vehicle)
        #expect(stored.etaToFirstWaypoint == Self.now + 78 && stored.remainingDistance?.meters == 420)
        #expect(stored.route?.points == (try S2Polyline.decode(path)))
    }
}
