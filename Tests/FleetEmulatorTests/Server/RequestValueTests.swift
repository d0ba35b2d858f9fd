import Failures
import FleetEmulator
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// The values of requests that Fleet Engine refuses or changes.
@Suite("Values of requests", .ends(within: .quickTest))
struct RequestValueTests {
    private static let vehicles = "/v1/providers/p/vehicles"
    private static let trips = "/v1/providers/p/trips"

    private static func location(_ more: String) -> String {
        #"{"location":{"latitude":51.05,"longitude":3.72},\#(more)}"#
    }

    @Test func `a direction is from 0 to 359 degrees`() async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            for (field, heading, status) in [
                ("heading", 0, 200), ("heading", 359, 200), ("heading", 360, 400), ("heading", -1, 400),
                ("flpHeadingDegrees", 359, 200), ("flpHeadingDegrees", 360, 400),
            ] {
                let location = Self.location(#""\#(field)":\#(heading)"#)
                let last = #"{"lastLocation":\#(location)}"#
                let past = #"{"pastLocations":[\#(location)]}"#
                for (mask, body, path) in [
                    ("lastLocation", last, "lastLocation"), ("pastLocations", past, "pastLocations[0]"),
                ] {
                    let target = "\(Self.vehicles)/veh-1?updateMask=\(mask)"
                    let answer = try await scene.call("PUT", target, body, token: token)
                    #expect(answer.status == status, "\(field) \(heading) \(mask)")
                    guard status == 400 else { continue }
                    let message = ServiceAnswer(httpStatus: 400, body: answer.body).message ?? ""
                    #expect(message.contains("'\(path).\(field)'"), "\(message)")
                }
            }
        }
    }

    @Test func `IDs are stored in Unicode Normalization Form C`() async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
            let (one, other) = (PercentEncoding.encode(composed), PercentEncoding.encode(decomposed))
            let vehicle =
                #"{"vehicleState":"ONLINE","supportedTripTypes":["SHARED"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"}}"#
            _ = try await scene.call("POST", "\(Self.vehicles)?vehicleId=\(other)", vehicle, token: token)
            let point = #"{"point":{"latitude":51.05,"longitude":3.72}}"#
            let waypoint = #"{"tripId":"\#(decomposed)","waypointType":"PICKUP_WAYPOINT_TYPE","location":\#(point)}"#
            let trip =
                #"{"tripType":"SHARED","pickupPoint":\#(point),"vehicleId":"\#(decomposed)","vehicleWaypoints":[\#(waypoint)]}"#
            let created = try await scene.call("POST", "\(Self.trips)?tripId=\(other)", trip, token: token)
            #expect(created.status == 200, "\(String(decoding: created.body, as: UTF8.self))")
            // The same ID in the other spelling already exists.
            let again = try await scene.call("POST", "\(Self.trips)?tripId=\(one)", trip, token: token)
            #expect(again.status == 409)
            // A token with either spelling is for the trip.
            for rider in [try await scene.token("consumer", one), try await scene.token("consumer", other)] {
                for spelling in [one, other] {
                    let answer = try await scene.call("GET", "\(Self.trips)/\(spelling)", token: rider)
                    let object = try #require(JSONValue(answer.body))
                    let name = try #require(object["name"]?.string)
                    #expect(Array(name.unicodeScalars) == Array("providers/p/trips/\(composed)".unicodeScalars))
                    #expect(object["vehicleId"]?.string.map { Array($0.utf8) } == Array(composed.utf8))
                }
            }
            let search = try await scene.call(
                "POST",
                "\(Self.trips):search",
                #"{"vehicleId":"\#(decomposed)"}"#,
                token: token
            )
            #expect(try #require(JSONValue(search.body))["trips"] != nil)
        }
    }

    @Test(arguments: [
        ("2026-03-14T08:18:31.999999999Z", "2026-03-14T08:18:31.999999Z"),
        ("2026-03-14T08:18:31.000000999Z", "2026-03-14T08:18:31Z"),
        ("2026-03-14T08:18:31.123456789Z", "2026-03-14T08:18:31.123456Z"),
        ("1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999Z"),
    ])
    func `a time is retained in microseconds, rounded down`(sent: String, stored: String) throws {
        var world = World(provider: try ProviderID("p"))
        let id = try VehicleID("veh-1")
        let body = #"""
            {"vehicleState":"ONLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,
             "vehicleType":{"category":"AUTO"},"lastLocation":\#(Self.location(#""updateTime":"\#(sent)""#))}
            """#
        let vehicle = try world.createVehicle(id, try VehicleMessage(json: body), at: Date(timeIntervalSince1970: 0))
        let answer = try #require(JSONValue(MessageBytes.encode(vehicle)))
        #expect(answer[path: "lastLocation.updateTime"]?.string == stored)
    }

    @Test(arguments: [
        ("lastLocation", 200), ("last_location", 200), ("last__location", 400), ("last_location_", 400),
        ("_last_location", 400), ("last_Location", 400), ("lastlocation", 400), ("last_location,", 200),
    ])
    func `a mask has names in camelCase or snake_case`(mask: String, status: Int) async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            let target = "\(Self.vehicles)/veh-1?updateMask=\(mask)"
            let body = #"{"lastLocation":\#(Self.location(#""heading":1"#))}"#
            let answer = try await scene.call("PUT", target, body, token: token)
            #expect(answer.status == status, "\(String(decoding: answer.body, as: UTF8.self))")
        }
    }
}
