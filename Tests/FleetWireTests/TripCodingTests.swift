import Failures
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("A trip in JSON", .ends(within: .quickTest))
struct TripCodingTests {
    private func decode(_ text: String) throws -> Trip {
        try TripCoding.decode([UInt8](text.utf8))
    }

    @Test func `decodes a trip behind another rider`() throws {
        let trip = try decode(Samples.enrouteBehindAnotherRider)
        #expect(trip.id.rawValue == "tr-7f3a")
        #expect(trip.provider.rawValue == "demo-rides-project")
        #expect(trip.status == .enrouteToPickup)
        #expect(trip.type == .exclusive)
        #expect(trip.vehicleID?.rawValue == "veh-204")
        #expect(trip.remainingDistance == Distance(meters: 418))
        #expect(trip.route?.points.count == 3)
        #expect(trip.routeVersion == Version("2026-03-14T08:17:02.118Z"))
        #expect(
            trip.traffic?.intervals == [
                Traffic.Interval(start: 0, end: 1, speed: .normal), Traffic.Interval(start: 1, end: 2, speed: .slow),
            ]
        )
        #expect(trip.remainingWaypoints.map(\.kind) == [.dropoff, .pickup, .dropoff])
        #expect(trip.remainingWaypoints[0].tripID?.rawValue == "tr-5b10")
        #expect(trip.remainingWaypoints[1].duration == .seconds(110))
        #expect(trip.lastLocation?.heading == 214)
        #expect(trip.lastLocation?.accuracy == 4.5)
        #expect(trip.lastLocation?.isRoadSnapped == true)
        #expect(trip.lastLocationSnappable)
        #expect(trip.remainingTime == .milliseconds(78_204))
    }

    @Test func `accepts protocol buffer field names as well as JSON names`() throws {
        let trip = try decode(
            #"""
            {"name":"providers/p/trips/t","trip_status":"ENROUTE_TO_DROPOFF","vehicle_id":"v",
             "last_location":{"location":{"latitude":1},"latlng_accuracy":4.5},"remaining_distance_meters":0}
            """#
        )
        #expect(trip.status == .enrouteToDropoff)
        #expect(trip.lastLocation?.accuracy == 4.5)
        #expect(trip.lastLocation?.coordinate == Coordinate(latitude: 1, longitude: 0))
        #expect(trip.remainingDistance == Distance(meters: 0))
    }

    @Test func `retains unknown values`() throws {
        let trip = try decode(
            #"""
            {"name":"providers/p/trips/t","tripStatus":"BOARDING_A_FERRY","tripType":"POOLED","futureField":{"a":[1]},
             "remainingWaypoints":[{"waypointType":"CHARGING_STOP"}]}
            """#
        )
        #expect(trip.status == .unrecognized("BOARDING_A_FERRY"))
        #expect(trip.type == .unrecognized("POOLED"))
        #expect(trip.remainingWaypoints.first?.kind == .unrecognized("CHARGING_STOP"))
    }

    @Test func `omits default values and retains wrapper objects`() throws {
        var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .new)
        trip.pickup = Coordinate(latitude: 0, longitude: 5)
        trip.remainingDistance = Distance(meters: 0)
        var location = VehicleLocation(coordinate: Coordinate(latitude: 0, longitude: 0))
        location.heading = 0
        trip.lastLocation = location
        let text = String(decoding: TripCoding.encode(trip), as: UTF8.self)
        #expect(
            text
                == #"{"name":"providers/p/trips/t","tripStatus":"NEW","pickupPoint":{"point":{"longitude":5.0}},"#
                + #""lastLocation":{"location":{},"heading":0},"remainingDistanceMeters":0}"#
        )
        #expect(try decode(text) == trip)
    }

    @Test(arguments: [PathFormat.points, .encoded])
    func `decodes what it encoded`(format: PathFormat) throws {
        let trip = try decode(Samples.enrouteBehindAnotherRider)
        let again = try TripCoding.decode(TripCoding.encode(trip, format: format))
        if format == .points {
            #expect(again == trip)
        } else {
            let (first, second) = (try #require(trip.route), try #require(again.route))
            #expect(zip(first.points, second.points).allSatisfy { $0.distance(to: $1).meters < 2.5 })
        }
    }

    @Test func `reports what is wrong with a body`() {
        #expect(throws: WireError.badName("trips/t")) { try decode(#"{"name":"trips/t"}"#) }
        #expect(throws: WireError.badName("providers/p/vehicles/t")) {
            try decode(#"{"name":"providers/p/vehicles/t"}"#)
        }
        #expect(throws: WireError.unexpected(path: "name", reason: "missing")) { try decode("{}") }
        for text in ["", "{", "<html>", "null", "[]", #"{"name":5}"#, #"{"name":"providers/p/trips/t","route":5}"#] {
            #expect(throws: WireError.self) { try decode(text) }
        }
    }

    @Test(arguments: [
        ("", WireError.notJSON(reason: "it is empty")), ("{", .notJSON(reason: "it ends within a value")),
        ("<html>", .notJSON(reason: "byte 0 is not valid in JSON")),
        (#"{"name":5}"#, .unexpected(path: "name", reason: "a string is expected")),
        ("[]", .unexpected(path: "", reason: "an object is expected")),
        (#"{"name":"providers/p/trips/t","route":5}"#, .unexpected(path: "route", reason: "a list is expected")),
        (
            #"{"name":"providers/p/trips/t","route":[{"latitude":[]}]}"#,
            .unexpected(path: "route[0].latitude", reason: "a number is expected")
        ),
        (#"{"trip_status":[]}"#, .unexpected(path: "tripStatus", reason: "a string is expected")),
        (
            #"{"remainingDistanceMeters":1e300}"#,
            .notJSON(reason: "it has a number that is out of range")
        ),
        (
            #"{"lastLocationSnappable":"yes"}"#,
            .unexpected(path: "lastLocationSnappable", reason: "a boolean is expected")
        ),
    ])
    func `describes an unreadable body in the words of JSON`(text: String, error: WireError) {
        #expect(throws: error) { try decode(text) }
    }

    @Test func `accepts numbers of enum values`() throws {
        let trip = try decode(
            #"{"name":"providers/p/trips/t","tripStatus":3,"tripType":2,"view":1,"lastLocation":{"locationSensor":100},"#
                + #""remainingWaypoints":[{"waypointType":2,"trafficToWaypoint":{"speedReadingInterval":[{"speed":3}]}}]}"#
        )
        #expect(trip.status == .arrivedAtPickup)
        #expect(trip.type == .exclusive && trip.view == "SDK")
        #expect(trip.lastLocation?.sensor == "FUSED_LOCATION_PROVIDER")
        #expect(trip.remainingWaypoints.first?.kind == .dropoff)
        #expect(trip.remainingWaypoints.first?.traffic?.intervals.first?.speed == .jam)
        let newer = try decode(#"{"name":"providers/p/trips/t","tripStatus":77}"#)
        #expect(newer.status == .unrecognized("77"))
    }

    @Test func `resource names and field masks survive a round trip`() throws {
        let name = try ResourceName("providers/my project/trips/a b")
        #expect(name.text == "providers/my project/trips/a b")
        #expect(name.path == "providers/my%20project/trips/a%20b")
        #expect(FieldMask(text: "trip_status, vehicleId").paths == ["tripStatus", "vehicleId"])
        var request = JourneyRequest(provider: try ProviderID("p"), journey: try .trip(TripID("ä")))
        #expect(request.target == "/v1/providers/p/trips/%C3%A4")
        request.routeVersion = Version("2026-03-14T08:17:02.118+01:00")
        #expect(
            request.target
                == "/v1/providers/p/trips/%C3%A4?currentRouteSegmentVersion=2026-03-14T08%3A17%3A02.118%2B01%3A00"
        )
    }

    @Test(arguments: [
        (#"[{"error":{"code":403,"message":"not yours","status":"PERMISSION_DENIED"}}]"#, "PERMISSION_DENIED"),
        (#"{"error":"invalid_token","error_description":"not yours"}"#, nil), (#"{"error":"not yours"}"#, nil),
        (#" {"message":"not yours","request_id":7}"#, nil),
    ])
    func `reads the message of the forms that gateways use`(body: String, status: String?) {
        let error = ServiceAnswer(httpStatus: 403, body: Array(body.utf8))
        #expect(error.message == "not yours" && error.status == status)
    }

    @Test(arguments: [
        ("RBAC: access denied", "RBAC: access denied"), (" no Route matched\nwith those values", "no Route matched"),
        ("<html>denied</html>", nil), ("", nil), ("{\"cut", nil),
    ])
    func `reads the first line of a gateway's text`(body: String, message: String?) {
        let error = ServiceAnswer(httpStatus: 403, body: Array(body.utf8))
        #expect(error.message == message && error.isForeign)
    }

    @Test(arguments: [
        "[]", "{}", "null", "7", #""text""#, #"{"error":7}"#, #"{"message":""}"#, #"[[{"message":"x"}]]"#,
    ])
    func `finds no message in other bodies`(body: String) {
        #expect(ServiceAnswer(httpStatus: 403, body: Array(body.utf8)) == ServiceAnswer(httpStatus: 403))
    }

    @Test func `parses error bodies in any format`() {
        let body =
            #"{"error":{"code":429,"message":"Slow","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"5s"}]}}"#
        let error = ServiceAnswer(httpStatus: 429, body: [UInt8](body.utf8))
        #expect(error.status == "RESOURCE_EXHAUSTED")
        #expect(error.retryDelay == .seconds(5))
        var sent = ServiceError(httpStatus: 429)
        sent.answer = error
        #expect(ServiceAnswer(httpStatus: 429, body: sent.body) == error)
        #expect(ServiceAnswer(httpStatus: 502, body: [UInt8]("<html>".utf8)) == ServiceAnswer(httpStatus: 502))
    }
}
