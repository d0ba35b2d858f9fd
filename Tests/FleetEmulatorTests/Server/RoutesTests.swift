import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("HTTP routes", .ends(within: .quickTest))
struct RoutesTests {
    @Test func `answers malformed requests with a 4xx error in Google's format`() async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            let long = String(repeating: "x", count: 65)
            let requests = [
                ("GET", "/", "", 404), ("GET", "/v2/providers/p/trips/t", "", 404),
                ("GET", "/v1/providers/p/boats/b", "", 404),
                ("GET", "/v1/providers/other/trips/tr-1", "", 400), ("GET", "/v1/providers/p/trips/", "", 400),
                ("GET", "/v1/providers/p/trips/\(long)", "", 400), ("GET", "/v1/providers/p/trips/a%2Fb", "", 400),

                ("PATCH", "/v1/providers/p/trips/tr-1", "{}", 405), ("GET", "/v1/providers/p/trips", "", 405),
                ("POST", "/v1/providers/p/trips", "{}", 400), ("POST", "/v1/providers/p/trips?tripId=new", "{", 400),
                ("POST", "/v1/providers/p/trips?tripId=new", "[]", 400),
                ("POST", "/v1/providers/p/trips?tripId=new", "", 400),
                ("PUT", "/v1/providers/p/trips/tr-1", "{}", 400),
                ("GET", "/v1/providers/p/trips/tr-1?currentRouteSegmentVersion=yesterday", "", 400),
                ("GET", "/v1/providers/p/trips/tr-1?routeFormatType=SVG", "", 400),
                (
                    "PUT", "/v1/providers/p/vehicles/veh-1?updateMask=lastLocation",
                    #"{"lastLocation":{"location":{"latitude":91}}}"#, 400
                ),
            ]
            for (method, target, body, status) in requests {
                let response = try await scene.call(method, target, body, token: token)
                #expect(response.status == status, Comment(rawValue: "\(method) \(target)"))
                #expect(ServiceAnswer(httpStatus: response.status, body: response.body).status != nil)
                #expect(response.header("content-type") == "application/json; charset=UTF-8")
            }
            let endless = #"{"remainingTimeSeconds":2147483647,"remainingDistanceMeters":2147483647}"#
            let mask = "remainingTimeSeconds,remainingDistanceMeters"
            let far = try await scene.call(
                "PUT",
                "/v1/providers/p/vehicles/veh-1?updateMask=\(mask)",
                endless,
                token: token
            )
            #expect(far.status == 200)
            let beyond = #"{"remainingTimeSeconds":9223372036854775807}"#
            let target = "/v1/providers/p/vehicles/veh-1?updateMask=remainingTimeSeconds"
            #expect(try await scene.call("PUT", target, beyond, token: token).status == 400)
            let huge = #"{"tripType":""# + String(repeating: "x", count: 1 << 20) + #""}"#
            #expect(try await scene.call("POST", "/v1/providers/p/trips?tripId=new", huge, token: token).status == 413)
            #expect(
                try await scene.call("POST", "/v1/providers/p/trips?tripId=tr-1", Self.trip, token: token).status == 409
            )
        }
    }

    private static let trip = #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}}}"#

    @Test func `answers have the emulator's own time`() async throws {
        try await EmulatorScene.run { scene in
            let response = try await scene.call("GET", "/v1/providers/p/trips/t")
            #expect(response.header("date") == "Thu, 01 Jan 2026 00:00:00 GMT")
        }
    }

    @Test func `omits parts that have not changed since the given version`() async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            _ = try await scene.call(
                "PUT",
                "/v1/providers/p/vehicles/veh-1?updateMask=lastLocation",
                #"{"lastLocation":{"location":{"latitude":51.06,"longitude":3.72}}}"#,
                token: token
            )
            _ = try await scene.call(
                "PUT",
                "/v1/providers/p/trips/tr-1?updateMask=vehicle_id",
                #"{"vehicle_id":"veh-1"}"#,
                token: token
            )
            let target = "/v1/providers/p/trips/tr-1"
            let all = try TripCoding.decode(try await scene.call("GET", target, token: token).body)
            let version = try #require(all.routeVersion).rawValue
            #expect(all.route != nil && all.traffic != nil)
            let query = "?currentRouteSegmentVersion=\(version)&current_route_segment_traffic_version=\(version)"
            let lean = try TripCoding.decode(try await scene.call("GET", target + query, token: token).body)
            #expect(lean.route == nil && lean.traffic == nil)
            #expect(lean.routeVersion == all.routeVersion && lean.etaToFirstWaypoint == all.etaToFirstWaypoint)
            let older = "?currentRouteSegmentVersion=2020-01-01T00:00:00Z"
            #expect(try TripCoding.decode(try await scene.call("GET", target + older, token: token).body).route != nil)
            let encoded = try await scene.call("GET", target + "?routeFormatType=ENCODED_POLYLINE_TYPE", token: token)
            #expect(String(decoding: encoded.body, as: UTF8.self).contains("currentRouteSegment\":\"Ah"))
        }
    }

    @Test func `the token endpoint answers like Google's sample backend`() async throws {
        try await EmulatorScene.run { scene in
            let url = scene.address.consumerTokenURL.replacing("{tripId}", with: "any%20trip")
            let response = try await scene.transport.send(HTTPTransportRequest(url: url, timeout: .testTimeout))
            let answer = try JSONDecoder().decode(EmulatorScene.Answer.self, from: Data(response.body))
            #expect(answer.creationTimestamp == 1_767_225_600_000)
            #expect(answer.expirationTimestamp == 1_767_225_600_000 + 3_300_000)
            let bad = scene.address.consumerTokenURL.replacing("{tripId}", with: "a%3Ab")
            #expect(try await scene.transport.send(HTTPTransportRequest(url: bad, timeout: .testTimeout)).status == 400)
        }
    }

    @Test(arguments: [
        (ExpiryUnit.absoluteSeconds, 1_767_228_900), (.relativeSeconds, 3300),
        (.absoluteMilliseconds, 1_767_228_900_000),
    ])
    func `the token endpoint's key names and unit are configurable`(
        unit: ExpiryUnit,
        expected: Int
    ) async throws {
        var options = EmulatorOptions()
        options.tokenFormat.tokenKey = "access"
        options.tokenFormat.expirationKey = "ends"
        options.tokenFormat.expirationUnit = unit
        try await EmulatorScene.run(options: options) { scene in
            let url = scene.address.consumerTokenURL.replacing("{tripId}", with: "t")
            let response = try await scene.transport.send(HTTPTransportRequest(url: url, timeout: .testTimeout))
            let object = try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
            #expect(object["ends"] as? Int == expected)
            #expect(object["access"] is String)
        }
    }

    @Test func `reports a port that is in use`() async throws {
        try await EmulatorScene.run { scene in
            let port = try #require(URLOrigin(scene.address.fleetEngineURL)?.port)
            var options = EmulatorOptions()
            options.port = port
            await #expect(throws: EmulatorError.self) { try await EmulatorScene.run(options: options) { _ in } }
        }
    }

    @Test func `recomputes the remaining time for each answer, even if the rest is cached`() async throws {
        try await EmulatorScene.run { scene in
            try await scene.populate()
            let token = try await scene.address.operatorToken()
            let place = #"{"lastLocation":{"location":{"latitude":51.06,"longitude":3.72}}}"#
            let vehicle = "/v1/providers/p/vehicles/veh-1?updateMask=lastLocation"
            _ = try await scene.call("PUT", vehicle, place, token: token)
            let unassigned = try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token)
            #expect(try TripCoding.decode(unassigned.body).remainingTime == nil)
            let assign = "/v1/providers/p/trips/tr-1?updateMask=vehicleId"
            _ = try await scene.call("PUT", assign, #"{"vehicleId":"veh-1"}"#, token: token)
            let first = try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token)
            scene.clock.advance(by: .milliseconds(12_345))
            let second = try await scene.call("GET", "/v1/providers/p/trips/tr-1", token: token)
            let (one, two) = (try TripCoding.decode(first.body), try TripCoding.decode(second.body))
            let passed = try #require(one.remainingTime) - (try #require(two.remainingTime))
            #expect(abs(passed.seconds - 12.345) < 0.002)
            var same = two
            same.remainingTime = one.remainingTime
            #expect(same == one)
            let encoded = "/v1/providers/p/trips/tr-1?routeFormatType=2"
            let other = try await scene.call("GET", encoded, token: token)
            #expect(String(decoding: other.body, as: UTF8.self).contains("currentRouteSegment\":"))
        }
    }
}
