import FleetWire
import Foundation
import Testing
import TripModel
import TripTestSupport

@testable import FleetEmulator

/// What providers and drivers send is kept and used.
@Suite("Stored fields", .ends(within: .quickTest))
struct StoredFieldsTests {
    private let start = Date(timeIntervalSince1970: 1_773_476_100)
    private let vehicle: VehicleID
    private var world: World

    init() throws {
        vehicle = try VehicleID("veh-1")
        world = World(provider: try ProviderID("p"))
        let body = #"""
            {"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE","SHARED"],"maximumCapacity":4,
             "vehicleType":{"category":"AUTO"},"backToBackEnabled":true,
             "lastLocation":{"location":{"latitude":51.06,"longitude":3.72},"updateTime":"2026-03-14T08:15:00Z"}}
            """#
        _ = try world.createVehicle(vehicle, try VehicleMessage(json: body), at: start)
    }

    private mutating func report(_ json: String, _ mask: String, at seconds: Double) throws {
        let update = try VehicleMessage(json: json)
        let now = start.addingTimeInterval(seconds)
        _ = try world.updateVehicle(vehicle, mask: FieldMask(text: mask), update, at: now)
    }

    private mutating func create(_ id: String, _ type: String, passengers: Int = 1) throws {
        let body = #"""
            {"tripType":"\#(type)","numberOfPassengers":\#(passengers),
             "pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}},
             "dropoffPoint":{"point":{"latitude":51.04,"longitude":3.71}}}
            """#
        _ = try world.createTrip(try TripID(id), try TripMessage(json: body), at: start)
    }

    private mutating func assign(_ id: String, status: String) throws {
        let body = try TripMessage(json: #"{"vehicleId":"veh-1","tripStatus":"\#(status)"}"#)
        _ = try world.updateTrip(try TripID(id), mask: FieldMask(["vehicleId", "tripStatus"]), body, at: start)
    }

    private func location(_ latitude: Double, _ time: String) -> String {
        #"{"location":{"latitude":\#(latitude),"longitude":3.72},"updateTime":"2026-03-14T08:\#(time)Z"}"#
    }

    private func match(_ type: String, _ more: String) throws -> VehicleMatch? {
        let point = #"{"point":{"latitude":51.06,"longitude":3.72}}"#
        let body = #"""
            {"pickupPoint":\#(point),"dropoffPoint":\#(point),"pickupRadiusMeters":1000,"count":5,"minimumCapacity":2,
             "tripTypes":["\#(type)"],"vehicleTypes":[{"category":"AUTO"}],"orderBy":"PICKUP_POINT_ETA"\#(more)}
            """#
        return world.searchVehicles(try VehicleSearch(body: Array(body.utf8)), at: start).first
    }

    @Test mutating func `all past locations are retained in the order of their measurement`() throws {
        try report(#"{"lastLocation":\#(location(51.08, "16:00"))}"#, "lastLocation", at: 60)
        let late = [location(51.07, "15:40"), location(51.065, "15:20")].joined(separator: ",")
        try report(#"{"pastLocations":[\#(late)]}"#, "pastLocations", at: 65)
        let reported = try world.reportedModel(of: vehicle)
        #expect(reported.pastLocations.map { $0.coordinate?.latitude } == [51.06, 51.065, 51.07, 51.08])
        #expect(reported.lastLocation?.coordinate?.latitude == 51.08)
        // The newest one is the last position, at any index of the list.
        let newest = [location(51.1, "18:00"), location(51.09, "17:00")].joined(separator: ",")
        try report(#"{"pastLocations":[\#(newest)]}"#, "pastLocations", at: 200)
        let later = try world.reportedModel(of: vehicle)
        #expect(later.lastLocation?.coordinate?.latitude == 51.1)
        #expect(later.pastLocations.map { $0.coordinate?.latitude } == [51.06, 51.065, 51.07, 51.08, 51.09, 51.1])
        #expect(try world.model(of: vehicle).pastLocations.isEmpty)
    }

    @Test mutating func `a thousand past locations are retained`() throws {
        for minute in 0..<30 {
            let list = (0..<60).map { second in
                location(51 + Double(minute * 60 + second) / 10_000, String(format: "%02d:%02d", 20 + minute, second))
            }
            try report(#"{"pastLocations":[\#(list.joined(separator: ","))]}"#, "pastLocations", at: 300)
        }
        let stored = try world.reportedModel(of: vehicle).pastLocations
        #expect(stored.count == 1000 && stored.last?.coordinate?.latitude == 51 + 1799.0 / 10_000)
    }

    @Test mutating func `device settings are retained and are not in answers`() throws {
        let settings = #"""
            {"deviceSettings":{"locationPowerSaveMode":4,"isInteractive":true,
             "batteryInfo":{"batteryStatus":"BATTERY_STATUS_DISCHARGING","powerSource":4,"batteryPercentage":62.5}}}
            """#
        try report(settings, "deviceSettings", at: 1)
        let stored = try #require(try world.reportedModel(of: vehicle).deviceSettings)
        #expect(stored.locationPowerSaveMode == "LOCATION_MODE_FOREGROUND_ONLY")
        #expect(stored.isInteractive && !stored.isPowerSaveMode)
        #expect(stored.battery?.powerSource == "POWER_SOURCE_UNPLUGGED" && stored.battery?.percentage == 62.5)
        #expect(try world.model(of: vehicle).deviceSettings == nil)
        let all = try world.listVehicles(VehicleList(attributes: AttributeRequirement()), at: start)
        let vehicles = try all.items.map(VehicleCoding.vehicle)
        #expect(vehicles.allSatisfy { $0.deviceSettings == nil && $0.pastLocations.isEmpty })
        let written = try VehicleCoding.decode(MessageBytes.encode(try world.reportedVehicle(vehicle)))
        #expect(written.deviceSettings == stored)
    }

    @Test mutating func `the first report of a billable trip is retained with all its fields`() throws {
        let body = #"{"countryCode":"BE","platform":3,"relatedIds":["a","b"],"solutionType":0}"#
        let id = try TripID("bill-1")
        world.reportBillable(id, try BillableTripReport(body: Array(body.utf8)), at: start)
        let again = try BillableTripReport(body: Array(#"{"countryCode":"DE"}"#.utf8))
        world.reportBillable(id, again, at: start.addingTimeInterval(5))
        let trips = Array(world.billableTrips)
        #expect(trips.count == 1 && trips[0].time == start)
        let report = trips[0].report
        #expect(report.country == "BE" && report.platform == "ANDROID" && report.relatedIDs == ["a", "b"])
        #expect(report.solutionType == "ON_DEMAND_RIDESHARING_AND_DELIVERIES")
        #expect(again.platform == nil && again.solutionType == report.solutionType)
    }

    @Test mutating func `a vehicle matches the trip that it already has`() throws {
        try create("tr-1", "EXCLUSIVE")
        #expect(try match("EXCLUSIVE", "")?.kind == "EXCLUSIVE")
        try assign("tr-1", status: "NEW")
        #expect(try match("EXCLUSIVE", "") == nil)
        #expect(try match("EXCLUSIVE", #","tripId":"tr-1""#)?.kind == "EXCLUSIVE")
        #expect(try match("EXCLUSIVE", #","tripId":"not-yet-created""#) == nil)
        #expect(throws: WireError.unexpected(path: "tripId", reason: "not an ID")) {
            try match("EXCLUSIVE", #","tripId":"a/b""#)
        }
    }

    @Test mutating func `a shared ride needs seats, or waits for the end of the present one`() throws {
        let any = #","currentTripsPresent":"ANY""#
        try create("tr-1", "SHARED", passengers: 2)
        try assign("tr-1", status: "ENROUTE_TO_PICKUP")
        #expect(try match("SHARED", any)?.kind == "CARPOOL")
        try create("tr-2", "SHARED", passengers: 1)
        try assign("tr-2", status: "ENROUTE_TO_PICKUP")
        #expect(try match("SHARED", any) == nil)
    }

    @Test(arguments: [("EXCLUSIVE", 1), ("SHARED", 4)])
    mutating func `a vehicle without room that is finishing its ride is a carpool back to back`(
        type: String,
        passengers: Int
    ) throws {
        let any = #","currentTripsPresent":"ANY""#
        try create("tr-1", type, passengers: passengers)
        try assign("tr-1", status: "ENROUTE_TO_PICKUP")
        #expect(try match("SHARED", any) == nil)
        try assign("tr-1", status: "ENROUTE_TO_DROPOFF")
        let match = try #require(try match("SHARED", any))
        #expect(match.kind == "CARPOOL_BACK_TO_BACK")
        let end = try #require(try world.model(of: vehicle).waypoints.last?.eta)
        #expect(try #require(match.pickupETA) > end)
        try report(#"{"backToBackEnabled":false}"#, "backToBackEnabled", at: 1)
        #expect(try self.match("SHARED", any) == nil)
    }

    @Test mutating func `the waypoints after the first have traffic in every view`() throws {
        try create("tr-1", "EXCLUSIVE")
        try assign("tr-1", status: "ENROUTE_TO_PICKUP")
        let trip = try world.trip(try TripID("tr-1"), at: start)
        #expect(trip.remainingWaypoints.count == 2 && trip.remainingWaypoints[0].traffic == nil)
        let whole = Traffic(intervals: [.init(start: 0, end: 1, speed: .normal)])
        #expect(trip.remainingWaypoints[1].traffic == whole)
        let service = FleetService(.world(world))
        let caller = Caller(role: .server, tripID: "*", vehicleID: "*")
        for view in [TripConditions.View.unspecified, .sdk, .journeySharing] {
            var conditions = TripConditions()
            conditions.view = view
            guard case .trip(let trip, _) = try service.call(.getTrip(trip.id, conditions), by: caller, at: start)
            else { return }
            #expect(trip.remainingWaypoints[1].traffic == whole, "\(view)")
            #expect((trip.remainingWaypoints[0].traffic != nil) == (view == .journeySharing), "\(view)")
        }
        // A client that knows the paths gets neither them nor their traffic.
        var known = TripConditions()
        known.waypointsRouteVersion = trip.remainingWaypointsRouteVersion
        guard case .trip(let less, _) = try service.call(.getTrip(trip.id, known), by: caller, at: start) else {
            return
        }
        #expect(less.remainingWaypoints.count == 2 && less.remainingWaypoints[1].traffic == nil)
    }
}
