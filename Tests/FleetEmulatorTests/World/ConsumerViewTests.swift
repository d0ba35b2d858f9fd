import FleetEmulator
import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// The view JOURNEY_SHARING_V1S: the first waypoint has the rest of the way, with its traffic.
@Suite("Consumer's view", .ends(within: .quickTest))
struct ConsumerViewTests {
    private static let now = Date(timeIntervalSince1970: 1_773_476_100)

    /// A vehicle somewhere near a route with traffic, on the way to the pickup of a trip.
    private struct Ride {
        let route: Route
        /// The driver's stretches of slow traffic as JSON.
        let stretches: String
        let here: Coordinate

        init(_ random: inout SeededGenerator) throws {
            var point = Coordinate(latitude: 51, longitude: 3.7)
            var points = [point]
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                point.latitude += .random(in: -0.002...0.004, using: &random)
                point.longitude += .random(in: -0.002...0.004, using: &random)
                points.append(point)
            }
            // The encoding of a path snaps its points to cells.
            points = try S2Polyline.decode(S2Polyline.encode(points))
            let route = Route(points)
            self.route = route
            stretches = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                let offset = Int.random(in: 0...Int(route.length.meters), using: &random)
                let style = Bool.random(using: &random) ? "TRAFFIC_JAM" : "SLOWER_TRAFFIC"
                let length = Int.random(in: 0...800, using: &random)
                return #"{"offsetMeters":\#(offset),"lengthMeters":\#(length),"style":"\#(style)"}"#
            }.joined(separator: ",")
            // Often exactly at a point of the route, at its start or at its end.
            let exact = points.randomElement(using: &random) ?? point
            let away = Bool.random(using: &random) ? 0.0 : Double.random(in: -0.001...0.001, using: &random)
            here = Coordinate(latitude: exact.latitude + away, longitude: exact.longitude + away / 2)
        }

        /// Returns the trip in a view, and the traffic along the whole route.
        func trip(in view: TripConditions.View) throws -> Trip {
            var world = World(provider: try ProviderID("p"))
            let (id, vehicle) = (try TripID("tr-1"), try VehicleID("veh-1"))
            let body = #"""
                {"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,
                 "vehicleType":{"category":"AUTO"}}
                """#
            _ = try world.createVehicle(vehicle, try VehicleMessage(json: body), at: ConsumerViewTests.now)
            var trip = TripMessage()
            (trip.tripType, trip.vehicleID) = (.exclusive, vehicle.rawValue)
            trip.pickupPoint = TerminalMessage(try #require(route.points.last))
            _ = try world.createTrip(id, trip, at: ConsumerViewTests.now)
            let traffic = #"{"currentRouteSegmentTraffic":{"trafficRendering":{"roadStretch":[\#(stretches)]}}}"#
            var report = try VehicleMessage(json: traffic)
            report.lastLocation.location = LatLngMessage(here)
            report.currentRouteSegment = S2Polyline.encode(route.points)
            let mask = FieldMask(["lastLocation", "currentRouteSegment", "currentRouteSegmentTraffic"])
            _ = try world.updateVehicle(vehicle, mask: mask, report, at: ConsumerViewTests.now)
            var conditions = TripConditions()
            conditions.view = view
            let caller = Caller(role: .server, tripID: "*", vehicleID: "*")
            let answer = try FleetService(.world(world)).call(
                .getTrip(id, conditions),
                by: caller,
                at: ConsumerViewTests.now
            )
            guard case .trip(let seen, _) = answer else { throw ServiceError(httpStatus: 500) }
            return seen
        }
    }

    /// Returns the class of traffic of each part of a path between two points.
    private static func classes(of traffic: Traffic?, points: Int) -> [Traffic.Speed?] {
        var classes = [Traffic.Speed?](repeating: nil, count: max(0, points - 1))
        for interval in traffic?.intervals ?? [] {
            for index in interval.start..<interval.end where classes.indices.contains(index) {
                classes[index] = interval.speed
            }
        }
        return classes
    }

    @Test func `the traffic is cut where the path is cut`() throws {
        for seed in 0..<500 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let ride = try Ride(&random)
            let whole = try ride.trip(in: .sdk)
            let first = try #require(try ride.trip(in: .journeySharing).remainingWaypoints.first)
            let path = try #require(first.path)
            var end = 0
            for interval in first.traffic?.intervals ?? [] {
                #expect(interval.start == end && interval.start < interval.end, "seed \(seed)")
                end = interval.end
            }
            // The intervals cover the path that is sent, no less and no more.
            #expect(end == path.count - 1, "seed \(seed)")
            let all = Self.classes(of: whole.traffic, points: ride.route.points.count)
            let rest = Self.classes(of: first.traffic, points: path.count)
            #expect(rest == Array(all.suffix(rest.count)), "seed \(seed)")
        }
    }
}
