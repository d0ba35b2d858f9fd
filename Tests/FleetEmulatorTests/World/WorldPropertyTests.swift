import Failures
import FleetEmulator
import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import SwiftProtobuf
import Testing
import TripModel
import TripTestSupport

/// Random valid and invalid calls on a small world.
///
/// After each call, a trip without a vehicle and a trip that has ended have no route, waypoints or estimates, a canceled
/// trip has no location, the final status of a trip never changes, and a refused call has changed nothing.
@Suite("World: invariants", .ends(within: .quickTest))
struct WorldPropertyTests {
    private static let statuses: [TripStatus] = [
        .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination,
        .arrivedAtIntermediateDestination, .enrouteToDropoff, .complete, .canceled,
    ]

    @Test(arguments: 0..<20)
    func `every rule holds after each of 150 random calls`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var world = World(provider: try ProviderID("p"))
        var now = Date(timeIntervalSince1970: 1_773_476_100)
        let trips = try (1...5).map { try TripID("tr-\($0)") }
        let vehicles = try (1...2).map { try VehicleID("veh-\($0)") }
        var ended: [TripID: Trip] = [:]
        for step in 0..<150 {
            now += Double(Int.random(in: 0...30, using: &random))
            let before = Self.snapshot(world, trips, vehicles, at: now)
            do throws(ServiceError) {
                try Self.change(&world, trips, vehicles, &random, at: now)
            } catch {
                #expect([400, 404, 409].contains(error.answer.httpStatus), "seed \(seed) step \(step)")
                // A refused call changes nothing.
                let after = Self.snapshot(world, trips, vehicles, at: now)
                #expect(after == before, "seed \(seed) step \(step): \(error)")
            }
            for id in trips {
                guard let trip = try? world.trip(id, at: now) else { continue }  // not created yet, or deleted
                try Self.check(trip, world, "seed \(seed) step \(step) \(id)")
                if trip.status.isTerminal {
                    // A final status stays; the provider may still update other fields.
                    if let end = ended[id] { #expect(end.status == trip.status, "seed \(seed) step \(step)") }
                    ended[id] = trip
                }
            }
        }
    }

    private static func snapshot(_ world: World, _ trips: [TripID], _ vehicles: [VehicleID], at now: Date) -> [String] {
        trips.map { "\(String(describing: try? world.trip($0, at: now)))" }
            + vehicles.map { "\(String(describing: try? world.vehicle($0)))" }
    }

    private static func check(_ trip: Trip, _ world: World, _ place: String) throws {
        let comment = Comment(rawValue: place)
        if trip.vehicleID == nil || trip.status.isTerminal {
            #expect(trip.remainingWaypoints.isEmpty && trip.route == nil && trip.etaToFirstWaypoint == nil, comment)
            #expect(trip.remainingDistance == nil && trip.remainingTime == nil, comment)
        }
        if trip.status == .canceled { #expect(trip.lastLocation == nil && trip.dropoffTime == nil, comment) }
        if trip.status == .complete, let location = trip.lastLocation {
            #expect(location == VehicleLocation(coordinate: location.coordinate), comment)
        }
        let own = trip.remainingWaypoints.filter { $0.tripID == trip.id }
        if let last = trip.remainingWaypoints.last { #expect(last.tripID == trip.id, comment) }
        switch trip.status {
        case .new, .enrouteToPickup, .arrivedAtPickup:
            if !own.isEmpty { #expect(own[0].kind == .pickup, comment) }
            #expect(trip.actualDropoff == nil, comment)
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination:
            if !own.isEmpty { #expect(own[0].kind == .intermediateDestination, comment) }
            #expect(trip.intermediateDestinations.indices.contains(trip.intermediateDestinationIndex), comment)
        case .enrouteToDropoff: #expect(own.allSatisfy { $0.kind == .dropoff }, comment)
        case .complete, .canceled, .unrecognized: break
        }
        let times = trip.remainingWaypoints.compactMap(\.eta)
        #expect(times == times.sorted(), comment)
        #expect(trip.type == .exclusive || trip.intermediateDestinations.isEmpty, comment)
        if !trip.status.isTerminal, let vehicle = trip.vehicleID {
            let record = try world.vehicle(vehicle)
            #expect(record.currentTrips.contains(trip.id.rawValue), comment)
            let waypoints = trip.remainingWaypoints.map(WaypointMessage.init)
            #expect(record.waypoints.prefix(waypoints.count) == waypoints[...], comment)
        }
    }

    private static func change(
        _ world: inout World,
        _ trips: [TripID],
        _ vehicles: [VehicleID],
        _ random: inout SeededGenerator,
        at now: Date
    ) throws(ServiceError) {
        let (trip, vehicle) = (
            trips.randomElement(using: &random) ?? trips[0], vehicles.randomElement(using: &random) ?? vehicles[0]
        )
        let place = Coordinate(
            latitude: .random(in: 51.0...51.1, using: &random),
            longitude: .random(in: 3.7...3.8, using: &random)
        )
        var body = TripMessage()
        var report = VehicleMessage()
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            body.tripType = Bool.random(using: &random) ? .exclusive : .shared
            (body.pickupPoint, body.dropoffPoint) = (TerminalMessage(place), TerminalMessage(place))
            let stops = Array(repeating: TerminalMessage(place), count: .random(in: 0...2, using: &random))
            body.intermediateDestinations = stops
            if Bool.random(using: &random) { body.vehicleID = vehicle.rawValue }
            _ = try world.createTrip(trip, body, at: now)
        case 1:
            (report.vehicleState, report.supportedTripTypes, report.maximumCapacity) = (.online, [.exclusive], 4)
            report.vehicleType.category = .auto
            _ = try world.createVehicle(vehicle, report, at: now)
        case 2...3:
            report.lastLocation.location = LatLngMessage(place)
            report.remainingTimeSeconds = .init(Int32.random(in: 0...600, using: &random))
            let mask = FieldMask(["lastLocation", "remainingTimeSeconds"])
            _ = try world.updateVehicle(vehicle, mask: mask, report, at: now)
        case 4:
            report.currentRouteSegment = S2Polyline.encode([place, Coordinate(latitude: 51, longitude: 3.7)])
            let mask = FieldMask(["currentRouteSegment"])
            _ = try world.updateVehicle(vehicle, mask: mask, report, at: now)
        case 5:
            report.waypoints = (try world.vehicle(vehicle)).waypoints.shuffled(using: &random)
            _ = try world.updateVehicle(vehicle, mask: FieldMask(["waypoints"]), report, at: now)
        case 6:
            body.vehicleID = Bool.random(using: &random) ? vehicle.rawValue : ""
            _ = try world.updateTrip(trip, mask: FieldMask(["vehicleId"]), body, at: now)
        case 7:
            if Bool.random(using: &random) { try world.deleteTrip(trip) } else { try world.deleteVehicle(vehicle) }
        default:
            body.status = statuses.randomElement(using: &random)
            body.intermediateDestinationIndex = Int32.random(in: 0...2, using: &random)
            if Bool.random(using: &random) { body.intermediateDestinationsVersion.seconds = 1_767_225_600 }
            let mask = Bool.random(using: &random) ? ["tripStatus"] : ["tripStatus", "intermediateDestinationIndex"]
            _ = try world.updateTrip(trip, mask: FieldMask(mask), body, at: now)
        }
    }
}
