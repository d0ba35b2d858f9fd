import Failures
import FleetEmulator
import FleetEngineProtos
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Simulated driver", .ends(within: .quickTest))
struct SimulatedDriverTests {
    @Test func `creates the vehicle and the trip as an operator`() async throws {
        let scene = try DriverScene()
        #expect(await scene.prepare() == nil)
        #expect(scene.sent.map(\.call) == ["CreateVehicle", "CreateTrip"])
        #expect(scene.sent.map(\.query) == ["vehicleId=veh-1", "tripId=tr-1"])
        #expect(scene.sent.allSatisfy { $0.authorization == "Bearer operator" })
        let vehicle = try #require(scene.sent.first).vehicle
        #expect(vehicle.state == .offline)
        #expect(vehicle.maximumCapacity == 4)
        #expect(vehicle.category == "AUTO")
        let trip = try #require(scene.sent.last).trip
        #expect(trip.pickup == scene.plan.ride.route.points.first)
        #expect(trip.dropoff == scene.plan.ride.route.points.last)
    }

    @Test func `sets the statuses of the trip at the times of the plan`() async throws {
        let scene = try DriverScene()
        #expect(await scene.drive() == nil)
        let updates = scene.sent("UpdateTrip")
        #expect(updates.map(\.mask) == [["vehicleId"]] + Array(repeating: ["tripStatus"], count: 4))
        let first = try #require(updates.first).trip
        #expect(first.vehicleID == (try VehicleID("veh-1")))
        let statuses = try updates.dropFirst().map { try $0.trip.status }
        #expect(statuses == [.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
        let pickup = 10 + scene.plan.approach.duration
        let expected = [5, 10, pickup, pickup + 15, scene.plan.duration]
        for (update, time) in zip(updates, expected) { #expect(abs(update.time - time) < 1e-6) }
    }

    @Test func `each update mask names exactly the fields of the body`() async throws {
        let scene = try DriverScene()
        #expect(await scene.drive() == nil)
        for request in scene.sent {
            #expect(Set(request.mask) == (try request.fields), "\(request.call) \(request.number)")
        }
    }

    @Test func `sends reports with the vehicle's token and everything else with an operator's token`() async throws {
        let scene = try DriverScene()
        #expect(await scene.drive() == nil)
        #expect(scene.sent("UpdateTrip").allSatisfy { $0.authorization == "Bearer operator" })
        #expect(scene.sent("UpdateVehicle").allSatisfy { $0.authorization?.hasPrefix("Bearer ey") == true })
        #expect(scene.sent.allSatisfy { ["UpdateTrip", "UpdateVehicle"].contains($0.call) })
        #expect(scene.tokens.fetches.map(\.context) == [.vehicle(try VehicleID("veh-1"))])
    }

    @Test func `goes ONLINE at its waiting place and OFFLINE after the trip`() async throws {
        let scene = try DriverScene()
        #expect(await scene.drive() == nil)
        let first = try #require(scene.sent.first)
        #expect(first.mask == ["vehicleState", "lastLocation"])
        #expect(try first.vehicle.state == .online)
        #expect(try first.vehicle.lastLocation?.coordinate == scene.plan.approach.route.points.first)
        let last = try #require(scene.sent.last)
        #expect(last.mask == ["vehicleState"])
        #expect(try last.vehicle.state == .offline)
        #expect(try scene.sent.dropLast().last?.trip.status == .complete)
    }

    @Test func `sends a route when it changes, with its end and its traffic`() async throws {
        let scene = try DriverScene()
        #expect(await scene.drive() == nil)
        let sent = try scene.sent("UpdateVehicle").filter { try $0.vehicle.route != nil }
        let updates = try sent.map { try $0.vehicle }
        let stretches = try sent.map { try $0.vehicleMessage.currentRouteSegmentTraffic.trafficRendering.roadStretch }
        let routes = [scene.plan.approach.route, scene.plan.ride.route]
        #expect(updates.map(\.routeEnd?.kind) == [.pickup, .dropoff])
        #expect(stretches.map(\.count) == [0, 1])
        for (update, route) in zip(updates, routes) {
            let points = try #require(update.route).points
            #expect(points.count == route.points.count)
            // The encoding snaps to cells about two metres wide.
            #expect(zip(points, route.points).allSatisfy { $0.distance(to: $1).meters < 2.5 })
            #expect(update.routeEnd?.coordinate == route.points.last)
            #expect(update.routeEnd?.tripID == (try TripID("tr-1")))
            #expect(update.navigationStatus == "ENROUTE_TO_DESTINATION")
        }
        let stretch = try #require(stretches.last?.first)
        #expect(stretch.style == .slowerTraffic)
        #expect(stretch.offsetMeters > 0)
        #expect(stretch.lengthMeters > 100)
        #expect(Double(stretch.offsetMeters + stretch.lengthMeters) < scene.plan.ride.route.length.meters)
    }

    @Test func `reports every five seconds on the way and again on arrival`() async throws {
        let scene = try DriverScene()
        #expect(await scene.drive() == nil)
        for leg in try scene.legs() {
            let times = leg.map(\.time)
            let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
            #expect(gaps.dropLast().allSatisfy { abs($0 - 5) < 1e-6 })
            #expect(try #require(gaps.last) > 0)
            #expect(try #require(gaps.last) < 5 + 1e-6)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `reports the arrival once at the end of each leg`(seed: UInt64) async throws {
        let scene = try DriverScene(seed: seed)
        #expect(await scene.drive() == nil)
        for leg in try scene.legs() {
            let arrivals = try leg.map { try $0.vehicle.navigationStatus == "ARRIVED_AT_DESTINATION" }
            #expect(arrivals.dropLast().allSatisfy { !$0 })
            #expect(arrivals.last == true)
        }
    }

    @Test func `reports a road-snapped location and a raw one a few metres away, with the wall clock's time`()
        async throws
    {
        let scene = try DriverScene()
        #expect(await scene.drive() == nil)
        for leg in try scene.legs() {
            for report in leg {
                let location = try #require(try report.vehicle.lastLocation)
                let (snapped, raw) = (try #require(location.coordinate), try #require(location.rawCoordinate))
                #expect(snapped != raw)
                #expect(snapped.distance(to: raw).meters < 8)
                #expect(location.updateTime == location.rawTime)
                let time = try #require(location.updateTime)
                #expect(abs(time.timeIntervalSince(report.moment.wall)) < 0.002)
                #expect(location.sensor == "ROAD_SNAPPED_LOCATION_PROVIDER")
                #expect(location.isRoadSnapped == true)
                #expect((2...6).contains(try #require(location.accuracy)))
                #expect((0..<360).contains(try #require(location.heading)))
            }
        }
    }

    @Test func `sends the same requests for a seed at any clock speed`() async throws {
        let scenes = try [0.1, 1, 600].map { try DriverScene(seed: 3, speed: $0) }
        for scene in scenes { #expect(await scene.drive() == nil) }
        #expect(scenes[0].sent == scenes[1].sent)
        #expect(scenes[0].sent == scenes[2].sent)
    }

    @Test func `sends other requests for another seed`() async throws {
        let (one, other) = (try DriverScene(seed: 3), try DriverScene(seed: 4))
        #expect(await one.drive() == nil)
        #expect(await other.drive() == nil)
        #expect(one.sent != other.sent)
    }

    @Test(arguments: [4.0, 30, 150])
    func `retains the order of the ride when calls are slow`(seconds: Double) async throws {
        let scene = try DriverScene(script: { clocks, _ in
            clocks.ride.advance(by: .seconds(seconds))
            return HTTPTransportResponse(status: 200)
        })
        #expect(await scene.drive() == nil)
        let updates = scene.sent("UpdateTrip")
        let statuses = try updates.dropFirst().map { try $0.trip.status }
        #expect(statuses == [.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete])
        #expect(try #require(updates.last).time >= scene.plan.duration - 1e-6)
        #expect(try scene.sent.last?.vehicle.state == .offline)
    }
}

extension DriverScene {
    /// The reports on the way to the pickup, and those on the way to the drop-off.
    func legs() throws -> [[SentRequest]] {
        let reports = try sent("UpdateVehicle").filter { request in
            let update = try request.vehicle
            return update.route == nil && update.remainingDistance != nil
        }
        let pickup = 10 + plan.approach.duration + 1e-6
        return [reports.filter { $0.time <= pickup }, reports.filter { $0.time > pickup }]
    }
}
