import Foundation
import Recording
import Testing
import TripModel
import TripTestSupport

@Suite("Vehicle updates", .ends(within: .quickTest))
struct VehicleUpdateTests {
    private static let created = LogText.trip(
        "CreateTrip",
        second: 0,
        status: "ENROUTE_TO_PICKUP",
        more: #","vehicleid":"v1","pickuptime":"\#(LogText.time(100))","dropofftime":"\#(LogText.time(400))""#
            + LogText.ends
    )

    /// From 0°N 0°E through 0°N 0.1°E to 0°N 0.2°E.
    private static let route = S2Polyline.encode([0, 0.1, 0.2].map { Coordinate(latitude: 0, longitude: $0) })

    /// The trip `t1` after ``created`` and an update of its vehicle.
    private func updated(request: String = "", response: String) throws -> Journey {
        let update = LogText.vehicle(second: 10, trips: ["t1"], request: request, response: response)
        let snapshots = try LogText.read([Self.created, update]).timelines[0].snapshots
        #expect(snapshots.count == 2)
        return try #require(snapshots.last).journey
    }

    @Test func `update only trips that the vehicle serves, and the location of new trips`() throws {
        let trips = try LogText.read([
            LogText.trip("CreateTrip", "new", second: 0, status: "NEW", more: #","vehicleid":"v1""#),
            LogText.trip("CreateTrip", "other", second: 1, status: "ENROUTE_TO_PICKUP", more: #","vehicleid":"v1""#),
            LogText.trip("CreateTrip", "done", second: 2, status: "COMPLETE", more: #","vehicleid":"v1""#),
            LogText.trip("CreateTrip", "elsewhere", second: 3, status: "NEW", more: #","vehicleid":"v2""#),
            LogText.vehicle(
                second: 10,
                trips: ["done"],
                response: #","remainingdistancemeters":5,"lastlocation":{"location":\#(LogText.place(3))}"#
            ),
        ])
        #expect(trips.timelines.map(\.id.rawValue) == ["new", "other", "done", "elsewhere"])
        #expect(trips.timelines.map(\.snapshots.count) == [2, 1, 1, 1])
        let new = try #require(trips.timelines[0].snapshots.last).journey
        #expect(new.lastLocation?.coordinate == Coordinate(latitude: 3, longitude: 3))
        #expect(new.remainingDistance == nil)
    }

    @Test func `use the raw location if the answer has no snapped one`() throws {
        let raw = try updated(
            request: #","vehicle":{"lastlocation":{"location":\#(LogText.place(5))}}"#,
            response:
                #","lastlocation":{"rawlocation":\#(LogText.place(4)),"locsensor":"LOCATION_SENSOR_GPS","heading":90}"#
        )
        #expect(raw.lastLocation?.coordinate == Coordinate(latitude: 4, longitude: 4))
        #expect(raw.lastLocation?.sensor == "GPS")
        #expect(raw.lastLocation?.heading == 90)
    }

    @Test func `shift pickup and drop-off together while the pickup comes first`() throws {
        let end = #","currentroutesegmentendpoint":{"tripid":"t1","type":"WAYPOINT_TYPE_PICKUP"}"#
        let trip = try updated(response: #","etatofirstwaypoint":"\#(LogText.time(130))""# + end)
        #expect(trip.pickupTime == date(130))
        #expect(trip.dropoffTime == date(430))
    }

    @Test func `shift only the drop-off once it comes first`() throws {
        let end = #","currentroutesegmentendpoint":{"tripid":"t1","type":"WAYPOINT_TYPE_DROP_OFF"}"#
        let trip = try updated(response: #","etatofirstwaypoint":"\#(LogText.time(130))""# + end)
        #expect(trip.pickupTime == date(100))
        #expect(trip.dropoffTime == date(130))
    }

    @Test func `shift the drop-off with the arrival at a stop before it, but not from one stop to the next`() throws {
        func update(_ second: Int, stop: Double, arrival: Int) -> String {
            let end =
                #","currentroutesegmentendpoint":{"tripid":"t1","type":"WAYPOINT_TYPE_INTERMEDIATE_DESTINATION","#
                + #""location":{"point":\#(LogText.place(stop))}}"#
            let arrival = #","etatofirstwaypoint":"\#(LogText.time(arrival))""#
            return LogText.vehicle(second: second, trips: ["t1"], response: arrival + end)
        }
        let trips = try LogText.read([
            Self.created, update(10, stop: 5, arrival: 130), update(20, stop: 5, arrival: 170),
            update(30, stop: 6, arrival: 250),
        ])
        #expect(trips.timelines[0].snapshots.map(\.journey.dropoffTime) == [400, 400, 440, 440].map { date($0) })
    }

    @Test func `retain the trip's own times while another rider comes first`() throws {
        let end = #","currentroutesegmentendpoint":{"tripid":"t2","type":"WAYPOINT_TYPE_PICKUP"}"#
        let trip = try updated(response: #","etatofirstwaypoint":"\#(LogText.time(130))""# + end)
        #expect(trip.etaToFirstWaypoint == date(130))
        #expect(trip.pickupTime == date(100) && trip.dropoffTime == date(400))
        #expect(trip.routeEnd?.tripID?.rawValue == "t2")
    }

    @Test func `match waypoints by location, up to the trip's own drop-off`() throws {
        let places = [1.00000004, 7, 2, 8].map { #"{"location":{"point":\#(LogText.place($0))}}"# }
        let trip = try updated(response: #","waypoints":[\#(places.joined(separator: ","))]"#)
        #expect(
            trip.remainingWaypoints.map(\.kind.name) == ["PICKUP", "UNKNOWN", "DROP_OFF"].map { $0 + "_WAYPOINT_TYPE" }
        )
        #expect(trip.remainingWaypoints.map { $0.tripID?.rawValue } == ["t1", nil, "t1"])
    }

    @Test func `match waypoints by order if they have no location`() throws {
        let trip = try updated(response: #","waypoints":[{"distancemeters":7},{"duration":"3.5s"}]"#)
        #expect(trip.remainingWaypoints.map(\.kind) == [.pickup, .dropoff])
        #expect(trip.remainingWaypoints.map { $0.coordinate?.latitude } == [1, 2])
        #expect(trip.remainingWaypoints[0].distance == Distance(meters: 7))
        #expect(trip.remainingWaypoints[1].duration == .seconds(3.5))
    }

    @Test func `convert road stretches in metres to intervals on a path with added points`() throws {
        let stretch = #"{"offsetmeters":5000,"lengthmeters":8000,"style":"STYLE_TRAFFIC_JAM"}"#
        let trip = try updated(
            request: #","vehicle":{"currentroutesegmenttraffic":{"trafficrendering":{"roadstretch":[\#(stretch)]}}}"#,
            response: #","currentroutesegment":"\#(Self.route)""#
        )
        let traffic = try #require(trip.traffic)
        #expect(traffic.intervals.map(\.speed) == [.normal, .jam, .normal])
        #expect(traffic.intervals.map(\.end) == [1, 3, 4])
        let path = try #require(traffic.path)
        let offsets = Route(path).offsets.map { ($0 / 10).rounded() * 10 }
        #expect(offsets == [0, 5000, 11_120, 13_000, 22_240])
    }

    @Test func `mean free-flowing traffic if the mask names it without data, and change nothing otherwise`() throws {
        let route = #","currentroutesegment":"\#(Self.route)""#
        let free = try updated(
            request: #","updatemask":"currentRouteSegment,currentRouteSegmentTraffic""#,
            response: route
        )
        #expect(free.traffic == Traffic(intervals: [Traffic.Interval(start: 0, end: 2, speed: .normal)]))
        #expect(free.trip?.trafficVersion == Version(LogText.time(10)))
        let unknown = try updated(request: #","updatemask":"currentRouteSegment""#, response: route)
        #expect(unknown.route?.points.count == 3)
        #expect(unknown.traffic == nil && unknown.trip?.trafficVersion == nil)
    }

    private func date(_ second: Int) -> Date {
        // 2026-01-01T00:00:00Z
        Date(timeIntervalSince1970: 1_767_225_600 + Double(second))
    }
}
