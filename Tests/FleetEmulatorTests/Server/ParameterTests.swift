import Failures
import FleetEmulator
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// The names of query parameters, and the fields that an answer has.
@Suite("Query parameters", .ends(within: .quickTest))
struct ParameterTests {
    private static let trip = "/v1/providers/p/trips/tr-1"
    private static let vehicle = "/v1/providers/p/vehicles/veh-1"

    private static func unknown(_ name: String) -> String {
        "Invalid JSON payload received. Unknown name \"\(name)\": Cannot bind query parameter. Field '\(name)' could "
            + "not be found in request message."
    }

    private static func details(_ answer: HTTPTransportResponse) throws -> [(field: String?, description: String?)] {
        let error = try #require(JSONValue(answer.body))
        guard case .array(let details)? = error[path: "error.details"] else { return [] }
        #expect(details.map { $0["@type"]?.string } == ["type.googleapis.com/google.rpc.BadRequest"])
        guard case .array(let violations)? = details.first?["fieldViolations"] else { return [] }
        return violations.map { ($0["field"]?.string, $0["description"]?.string) }
    }

    @Test func `an unknown parameter is refused in the words of Google's front end`() async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            let trips = "/v1/providers/p/trips"
            let body = #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}}}"#
            for (method, target, body, names) in [
                ("GET", "\(Self.trip)?veiw=SDK", "", ["veiw"]),
                ("GET", "\(Self.trip)?view=SDK&veiw=SDK&routeformattype=1", "", ["veiw", "routeformattype"]),
                ("GET", "\(Self.trip)?route__format_type=1", "", ["route__format_type"]),
                ("GET", "\(Self.trip)?view,=SDK", "", ["view,"]), ("GET", "\(Self.trip)?=1", "", [""]),
                // The field exists in the message of another method, in the path, or in the body.
                ("GET", "\(Self.trip)?waypointsVersion=2026-01-01T00:00:00Z", "", ["waypointsVersion"]),
                ("GET", "\(Self.trip)?name=x", "", ["name"]),
                ("GET", "\(Self.trip)?header.langage=en", "", ["header.langage"]),
                ("POST", "\(trips)?tripId=new&trip.vehicleId=veh-1", body, ["trip.vehicleId"]),
                ("POST", "\(trips)?tripid=new", body, ["tripid"]),
                ("POST", "\(trips):search?pageSize=1", "{}", ["pageSize"]),
                ("PUT", "\(Self.vehicle)?updatemask=lastLocation", "{}", ["updatemask"]),
                ("GET", "/v1/providers/p/vehicles?viewport.low.lat=1", "", ["viewport.low.lat"]),
                ("DELETE", "\(Self.trip)?force=true", "", ["force"]),
            ] {
                let answer = try await scene.call(method, target, body, token: token)
                let error = ServiceAnswer(httpStatus: answer.status, body: answer.body)
                #expect(answer.status == 400 && error.status == "INVALID_ARGUMENT", "\(target)")
                let messages = names.map(Self.unknown)
                #expect(error.message == messages.joined(separator: "\n"), "\(target)")
                #expect(try Self.details(answer).map(\.description) == messages, "\(target)")
            }
            let message = try await scene.call("GET", "\(Self.trip)?header=x", token: token)
            #expect(
                try Self.details(message).first?.description
                    == "Invalid JSON payload received. Unknown name \"header\": Cannot bind query parameter. 'header' is a "
                    + "message type. Parameters can only be bound to primitive types."
            )
            #expect(try await scene.call("PATCH", "\(Self.trip)?veiw=SDK", token: token).status == 405)
            #expect(try await scene.call("GET", "/v1/providers/p/boats/b?veiw=SDK", token: token).status == 404)
            // Nothing was changed.
            #expect(try await scene.call("GET", "\(trips)/new", token: token).status == 404)
            #expect(try await scene.call("GET", Self.trip, token: token).status == 200)
        }
    }

    @Test func `an unknown field of a body has a violation, too`() async throws {
        try await EmulatorScene.run { scene in
            let token = try await scene.address.operatorToken()
            let body = #"{"tripType":"EXCLUSIVE","pickupPoint":{"pont":{}}}"#
            let answer = try await scene.call("POST", "/v1/providers/p/trips?tripId=new", body, token: token)
            let details = try Self.details(answer)
            #expect(details.map(\.field) == ["pickupPoint"])
            #expect(
                details.first?.description?.contains(#"Unknown name "pont" at 'pickupPoint': Cannot find field."#)
                    == true
            )
        }
    }

    @Test func `the system parameters and every field of the message are accepted`() async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            for query in [
                "alt=json", "$alt=json", "key=k", "$apiKey=k", "prettyPrint=false", "$prettyPrint=true", "quotaUser=u",
                "access_token=t", "oauth_token=t", "callback=c", "$.xgafv=2", "$xgafv=1", "upload_protocol=raw",
                "uploadType=media", "userIp=1.2.3.4", "fields=", "view=SDK", "route_format_type=1",
                "header.languageCode=en&header.sdk_type=CONSUMER", "",
            ] {
                let answer = try await scene.call("GET", "\(Self.trip)?\(query)", token: token)
                #expect(answer.status == 200, "\(query): \(String(decoding: answer.body, as: UTF8.self))")
            }
            let list =
                "/v1/providers/p/vehicles?pageSize=1&tripTypes=2&viewport.low.latitude=1&viewport.high.latitude=2"
                + "&minimum_capacity=1&required_attributes=a:b&onTripOnly=false&maximumStaleness=3s&vehicleState=2"
            #expect(try await scene.call("GET", list, token: token).status == 200)
        }
    }

    @Test(arguments: [
        ("tripStatus", #"{"tripStatus":"NEW"}"#),
        ("trip_status,tripType", #"{"tripStatus":"NEW","tripType":"EXCLUSIVE"}"#),
        ("pickupPoint/point/latitude", #"{"pickupPoint":{"point":{"latitude":51.05}}}"#),
        (
            "pickupPoint(point(latitude)),tripType",
            #"{"pickupPoint":{"point":{"latitude":51.05}},"tripType":"EXCLUSIVE"}"#
        ),
        ("pickupPoint.point.longitude", #"{"pickupPoint":{"point":{"longitude":3.72}}}"#),
        ("remainingWaypoints/eta", "{}"), ("pickupPoint/place", #"{"pickupPoint":{}}"#),
        (
            "*",
            #"{"name":"providers/p/trips/tr-1","pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}},"tripStatus":"NEW","tripType":"EXCLUSIVE"}"#
        ),
    ])
    func `an answer has the selected fields`(selection: String, expected: String) async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            for name in ["fields", "$fields", "%24fields"] {
                let answer = try await scene.call("GET", "\(Self.trip)?\(name)=\(selection)", token: token)
                #expect(String(decoding: answer.body, as: UTF8.self) == expected, "\(name)")
            }
            let answer = try await scene.call("GET", Self.trip, token: token, fieldMask: selection)
            #expect(String(decoding: answer.body, as: UTF8.self) == expected)
            // The parameter is used before the header.
            let both = try await scene.call("GET", "\(Self.trip)?fields=name", token: token, fieldMask: selection)
            #expect(String(decoding: both.body, as: UTF8.self) == #"{"name":"providers/p/trips/tr-1"}"#)
        }
    }

    @Test func `lists and changes have the selected fields, too`() async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            for (method, target, body, expected) in [
                (
                    "POST", "/v1/providers/p/trips:search?fields=trips/name", "{}",
                    #"{"trips":[{"name":"providers/p/trips/tr-1"}]}"#
                ),
                (
                    "GET", "/v1/providers/p/vehicles?fields=totalSize,vehicles(vehicleState)", "",
                    #"{"totalSize":"1","vehicles":[{"vehicleState":"ONLINE"}]}"#
                ),
                (
                    "PUT", "\(Self.trip)?updateMask=vehicleId&fields=vehicleId", #"{"vehicleId":"veh-1"}"#,
                    #"{"vehicleId":"veh-1"}"#
                ),
            ] {
                let answer = try await scene.call(method, target, body, token: token)
                #expect(String(decoding: answer.body, as: UTF8.self) == expected)
            }
        }
    }

    @Test(arguments: [
        ("tripStatsu", "tripStatsu", "Cannot find matching fields for path 'tripStatsu'."),
        ("pickupPoint(pont)", "pickupPoint.pont", "Cannot find matching fields for path 'pickupPoint.pont'."),
        ("tripStatus/x", "tripStatus.x", "Cannot find matching fields for path 'tripStatus.x'."),
        ("place", "place", "Cannot find matching fields for path 'place'."),
        ("name,(", "fields", "The syntax is not valid."),
    ])
    func `a selection that no answer has is refused before the call`(
        selection: String,
        field: String,
        reason: String
    ) async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            let target = "\(Self.trip)?updateMask=tripStatus&fields=\(selection)"
            let answer = try await scene.call("PUT", target, #"{"tripStatus":"CANCELED"}"#, token: token)
            #expect(answer.status == 400)
            let details = try Self.details(answer)
            #expect(details.map(\.field) == [field])
            #expect(details.map(\.description) == ["Error expanding 'fields' parameter. \(reason)"])
            let trip = try await scene.call("GET", "\(Self.trip)?fields=tripStatus", token: token)
            #expect(String(decoding: trip.body, as: UTF8.self) == #"{"tripStatus":"NEW"}"#)
        }
    }
}
