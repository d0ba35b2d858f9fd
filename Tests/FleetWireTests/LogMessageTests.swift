import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Messages in the spellings of logs are those that the service sent.
@Suite("Messages of logs", .ends(within: .quickTest))
struct LogMessageTests {
    private static let time = "2026-01-01T00:00:10.500Z"
    private static let route = S2Polyline.encode([0, 0.1, 0.2].map { Coordinate(latitude: 0, longitude: $0) })

    /// A trip in the spelling of the API.
    private static let trip = #"""
        {"name":"providers/acme/trips/t1","tripStatus":"ENROUTE_TO_PICKUP","tripType":"EXCLUSIVE","vehicleId":"v1",
        "pickupPoint":{"point":{"latitude":1.5,"longitude":-2}},"dropoffPoint":{"point":{"latitude":3}},
        "pickupTime":"2026-01-01T00:00:10.500Z","numberOfPassengers":3,"remainingDistanceMeters":900,
        "attributes":[{"key":"k","stringValue":"a\"b\\c\nd"}],"currentRouteSegment":"ROUTE",
        "actualPickupPoint":{"point":{"latitude":1,"longitude":1},"timestamp":"2026-01-01T00:00:10.500Z"},
        "currentRouteSegmentTraffic":{"speedReadingInterval":[{"endPolylinePointIndex":2,"speed":"TRAFFIC_JAM"}]},
        "lastLocation":{"location":{"latitude":1,"longitude":1},"heading":90,"speed":8.25,"locationSensor":"GPS",
        "rawLocationSensor":"NETWORK","serverTime":"2026-01-01T00:00:10.500Z","isRoadSnapped":true},
        "remainingWaypoints":[{"location":{"point":{"latitude":1.5,"longitude":-2}},"tripId":"t1",
        "waypointType":"PICKUP_WAYPOINT_TYPE","duration":"3.500s","distanceMeters":900}]}
        """#.replacing("\n", with: "").replacing("ROUTE\"", with: route + "\"")

    /// The same trip as a log has it.
    private static let logged = [
        (#""tripStatus":""#, #""status":"TRIP_STATUS_"#), (#""EXCLUSIVE""#, #""EXCLUSIVE_TRIP""#),
        (#""speed":"TRAFFIC_JAM""#, #""speed":"SPEED_LOG_TRAFFIC_JAM""#),
        (#""locationSensor":""#, #""locSensor":"LOCATION_SENSOR_"#),
        (#""rawLocationSensor":""#, #""rawLocationSensor":"LOCATION_SENSOR_LOG_"#),
        (#""waypointType":"PICKUP_WAYPOINT_TYPE""#, #""type":"WAYPOINT_TYPE_PICKUP""#),
        (#""remainingDistanceMeters":900"#, #""remaining_distance_meters":{"value":"900"}"#),
    ]
    .reduce(trip) { $0.replacing($1.0, with: $1.1) }

    /// Parses a text as the reader of logs does.
    private static func parsed(_ text: String) throws -> JSONValue {
        var options = JSONParser.Options()
        options.isLenient = true
        options.normalizesKeys = true
        var parser = JSONParser(Array(text.utf8), options: options)
        return try #require(try parser.next())
    }

    private static func read(_ value: JSONValue) throws -> Trip {
        var paths = PathDecoder()
        let message = LogMessage<Maps_Fleetengine_V1_Trip>(value)
        return message.trip(try TripID("t1"), in: try ProviderID("acme"), &paths)
    }

    private static func status(_ name: String) throws -> TripStatus {
        try read(parsed(#"{"status":"\#(name)"}"#)).status
    }

    private static func task(_ text: String) throws -> DeliveryTask? {
        var paths = PathDecoder()
        let message = LogMessage<Maps_Fleetengine_Delivery_V1_Task>(try parsed(text))
        return message.task(in: try ProviderID("p"), &paths)
    }

    @Test func `a trip is that of the answer, in the spelling of the API and in that of a log`() throws {
        let trip = try TripCoding.decode(Array(Self.trip.utf8))
        #expect(trip.route?.points.count == 3 && trip.remainingWaypoints.first?.kind == .pickup)
        for text in [Self.trip, Self.logged] {
            let read = try Self.read(Self.parsed(text))
            #expect(read == trip && read.unreadable.isEmpty, "\(text)")
        }
    }

    @Test func `a value that its field cannot have costs that field only`() throws {
        guard case .object(let members) = try Self.parsed(Self.logged) else { return }
        let wrong: [JSONValue] = [.array([.array([])]), .object([]), .number(1e300), .bool(true)]
        for (index, member) in members.enumerated() {
            var rest = members
            rest.remove(at: index)
            let without = try Self.read(.object(rest))
            for value in wrong {
                var changed = members
                changed[index].value = value
                var trip = try Self.read(.object(changed))
                #expect(trip.unreadable.allSatisfy { $0.name.hasPrefix(member.key) })
                trip.unreadable = []
                #expect(trip == without, "\(member.key): \(value)")
            }
        }
    }

    @Test func `a text that is no time, duration or number costs that field only, and is named`() throws {
        let text = Self.logged.replacing(Self.time, with: "soon").replacing("3.500s", with: "3,5")
            .replacing("8.25", with: #""fast""#).replacing(#""vehicleId":"v1""#, with: #""vehicleId":"a/b""#)
        let trip = try Self.read(Self.parsed(text))
        #expect(
            trip.unreadable.map { "\($0.name): \($0.text)" } == [
                "vehicleid: a/b", "pickuptime: soon", "actualpickuppoint.timestamp: soon",
                "lastlocation.speed: fast", "lastlocation.servertime: soon", "remainingwaypoints[0].duration: 3,5",
            ]
        )
        #expect(trip.vehicleID == nil && trip.pickupTime == nil && trip.actualPickup?.coordinate != nil)
        #expect(trip.lastLocation?.heading == 90 && trip.remainingWaypoints.first?.distance == Distance(meters: 900))
        #expect(trip.status == .enrouteToPickup && trip.attributes.first?.value == .text("a\"b\\c\nd"))
    }

    @Test(arguments: [
        ("NEW", TripStatus.new), ("TRIP_STATUS_NEW", .new), ("TRIP_STATUS_LOG_NEW", .new),
        ("TRIP_STATUS_UNSPECIFIED", .unrecognized("UNKNOWN_TRIP_STATUS")),
        ("TRIP_STATUS_RENEWED_NEW", .unrecognized("RENEWED_NEW")), ("RENEWED", .unrecognized("RENEWED")),
    ])
    func `a status is read with the names that a log puts before it, and an unknown one is preserved`(
        name: String,
        status: TripStatus
    ) throws {
        #expect(try Self.status(name) == status)
    }

    @Test func `a log may leave out the object of a point`() throws {
        let text = #"{"pickupPoint":{"latitude":1.5,"longitude":-2},"dropoffPoint":{},"lastLocation":{"heading":4}}"#
        let trip = try Self.read(Self.parsed(text))
        #expect(trip.pickup == Coordinate(latitude: 1.5, longitude: -2) && trip.dropoff == nil)
        #expect(trip.lastLocation?.heading == 4 && trip.lastLocation?.coordinate == nil)
    }

    @Test func `a task has the condition that comes first, if a log has two for one value`() throws {
        let task = try Self.task(
            #"""
            {"name":"providers/p/tasks/t-1","type":"TASK_TYPE_LOG_DELIVERY","state":"TASK_STATE_LOG_OPEN",
            "taskTrackingViewConfig":{"remainingStopCountVisibility":{"never":true,"always":true}},
            "taskOutcome":"TASK_OUTCOME_LOG_FAILED","trackingId":"s-1"}
            """#
        )
        #expect(task?.kind == .delivery && task?.state == .open && task?.outcome == .failed)
        #expect(task?.trackingView?.remainingStopCount == .never && task?.trackingID?.rawValue == "s-1")
        #expect(try Self.task(#"{"type":"DELIVERY"}"#) == nil)
    }

    @Test func `a list beyond its limit is cut, and its other elements are counted`() throws {
        let places = Array(repeating: #"{"point":{"latitude":1,"longitude":1}}"#, count: 210).joined(separator: ",")
        let trip = try Self.read(Self.parsed(#"{"intermediateDestinations":[\#(places)]}"#))
        #expect(trip.intermediateDestinations.count == 200)
        #expect(trip.omitted == [OmittedElements(kind: .stops, count: 10)])
    }
}
