import Failures
import FleetEmulator
import Foundation
import Testing
import TripModel
import TripTestSupport

/// The calls that search, list, change and delete, over HTTP.
@Suite("Search, list, delete", .ends(within: .quickTest))
struct CollectionTests {
    private struct Vehicles: Decodable {
        struct One: Decodable {
            var name: String
        }

        var vehicles: [One]?
        var nextPageToken: String?
        var totalSize: String?
        var ids: [String] { (vehicles ?? []).map { String($0.name.split(separator: "/").last ?? "") } }
    }

    private struct Trips: Decodable {
        struct One: Decodable {
            struct Empty: Decodable {}

            var name: String
            var remainingWaypoints: [Empty]?
            var etaToFirstWaypoint: String?
        }

        var trips: [One]?
        var nextPageToken: String?
        var ids: [String] { (trips ?? []).map { String($0.name.split(separator: "/").last ?? "") } }
    }

    private struct Matches: Decodable {
        struct One: Decodable {
            var vehicle: Vehicles.One
            var vehicleMatchType: String
            var vehiclePickupEta: String?
            var vehiclePickupStraightLineDistanceMeters: Int
        }

        var matches: [One]?
    }

    /// Creates vehicles veh-1 to veh-5, each 100 m further north, with attributes, and trips tr-1 to tr-3.
    ///
    /// Vehicle veh-1 serves tr-1.
    private static func populate(_ scene: EmulatorScene) async throws -> String {
        let token = try await scene.address.operatorToken()
        for index in 1...5 {
            let body =
                #"{"vehicleState":2,"supportedTripTypes":[2],"maximum_capacity":"\#(index + 1)","vehicleType":{"category":\#(index == 5 ? 2 : 1)},"attributes":[{"key":"class","value":"\#(index.isMultiple(of: 2) ? "even" : "odd")"},{"key":"number","numberValue":\#(index)}]}"#
            let made = try await scene.call(
                "POST",
                "/v1/providers/p/vehicles?vehicleId=veh-\(index)",
                body,
                token: token
            )
            #expect(made.status == 200, "\(String(decoding: made.body, as: UTF8.self))")
            let place =
                #"{"lastLocation":{"location":{"latitude":\#(51.05 + Double(index) * 0.0009),"longitude":3.72}}}"#
            _ = try await scene.call(
                "PUT",
                "/v1/providers/p/vehicles/veh-\(index)?updateMask=lastLocation",
                place,
                token: token
            )
        }
        for index in 1...3 {
            let vehicle = index == 1 ? #""vehicleId":"veh-1","# : ""
            let body =
                #"{\#(vehicle)"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}},"dropoffPoint":{"point":{"latitude":51.04,"longitude":3.72}}}"#
            _ = try await scene.call("POST", "/v1/providers/p/trips?tripId=tr-\(index)", body, token: token)
        }
        return token
    }

    private static func read<Value: Decodable>(
        _ type: Value.Type,
        _ scene: EmulatorScene,
        _ method: String,
        _ target: String,
        _ body: String = "",
        token: String
    ) async throws -> Value {
        let response = try await scene.call(method, "/v1/providers/p/\(target)", body, token: token)
        try #require(response.status == 200, "\(target): \(String(decoding: response.body, as: UTF8.self))")
        return try JSONDecoder().decode(type, from: Data(response.body))
    }

    @Test func `lists vehicles page by page with every filter`() async throws {
        try await EmulatorScene.run { scene in
            let token = try await Self.populate(scene)
            let first = try await Self.read(Vehicles.self, scene, "GET", "vehicles?pageSize=2", token: token)
            #expect(first.ids == ["veh-1", "veh-2"] && first.totalSize == "5")
            let next = try #require(first.nextPageToken)
            let second = try await Self.read(
                Vehicles.self,
                scene,
                "GET",
                "vehicles?pageSize=4&pageToken=\(next)",
                token: token
            )
            #expect(second.ids == ["veh-3", "veh-4", "veh-5"] && second.nextPageToken == nil)
            let stolen = try await scene.call(
                "GET",
                "/v1/providers/p/vehicles?onTripOnly=true&pageToken=\(next)",
                token: token
            )
            #expect(stolen.status == 400)
            let filters: [(String, [String])] = [
                ("minimumCapacity=5", ["veh-4", "veh-5"]), ("vehicleTypeCategories=TAXI", ["veh-5"]),
                ("vehicleTypeCategories=1&vehicle_type_categories=TAXI&pageSize=0&minimumCapacity=6", ["veh-5"]),
                ("tripTypes=SHARED", []), ("onTripOnly=true", ["veh-1"]), ("vehicleState=OFFLINE", []),
                ("requiredAttributes=class:even", ["veh-2", "veh-4"]),
                ("requiredOneOfAttributes=number:1%7Cnumber:4", ["veh-1", "veh-4"]),
                (
                    "requiredOneOfAttributeSets=class:odd%7Cnumber:3&requiredOneOfAttributeSets=number:2",
                    ["veh-2", "veh-3"]
                ),
                ("filter=attributes.class%20%3D%20%22odd%22%20AND%20attributes.number%3D%225%22", ["veh-5"]),
                ("filter=(attributes.number=%221%22%20OR%20attributes.number=%222%22)", ["veh-1", "veh-2"]),
                (
                    "viewport.low.latitude=51.0510&viewport.low.longitude=3&viewport.high.latitude=51.0530&viewport.high.longitude=4",
                    ["veh-2", "veh-3"]
                ),
            ]
            for (query, ids) in filters {
                let answer = try await Self.read(Vehicles.self, scene, "GET", "vehicles?\(query)", token: token)
                #expect(answer.ids == ids, "\(query)")
            }
            scene.clock.advance(by: .seconds(60))
            let stale = try await Self.read(Vehicles.self, scene, "GET", "vehicles?maximumStaleness=30s", token: token)
            #expect(stale.ids.isEmpty)
            for query in ["filter=speed=%221%22", "filter=attributes.a=%221%22&requiredAttributes=a:1", "pageSize=-1"] {
                let refused = try await scene.call("GET", "/v1/providers/p/vehicles?\(query)", token: token)
                #expect(refused.status == 400, "\(query)")
            }
        }
    }

    @Test func `searches trips, which have no route without a vehicle`() async throws {
        try await EmulatorScene.run { scene in
            let token = try await Self.populate(scene)
            let all = try await Self.read(Trips.self, scene, "POST", "trips:search", #"{"pageSize":2}"#, token: token)
            #expect(all.ids == ["tr-1", "tr-2"] && all.trips?[0].remainingWaypoints == nil)
            let rest = try await Self.read(
                Trips.self,
                scene,
                "POST",
                "trips:search",
                #"{"page_size":"2","page_token":"\#(try #require(all.nextPageToken))"}"#,
                token: token
            )
            #expect(rest.ids == ["tr-3"] && rest.nextPageToken == nil)
            let own = try await Self.read(
                Trips.self,
                scene,
                "POST",
                "trips:search",
                #"{"vehicleId":"veh-1"}"#,
                token: token
            )
            #expect(own.ids == ["tr-1"] && own.trips?[0].remainingWaypoints?.count == 2)
            _ = try await scene.call(
                "PUT",
                "/v1/providers/p/trips/tr-2?updateMask=tripStatus",
                #"{"tripStatus":6}"#,
                token: token
            )
            let active = #"{"activeTripsOnly":true}"#
            let left = try await Self.read(Trips.self, scene, "POST", "trips:search", active, token: token)
            #expect(left.ids == ["tr-1", "tr-3"])
            scene.clock.advance(by: .seconds(60))
            _ = try await scene.call(
                "PUT",
                "/v1/providers/p/trips/tr-3?updateMask=tripStatus",
                #"{"tripStatus":"NEW"}"#,
                token: token
            )
            let stale = #"{"minimumStaleness":"30s","activeTripsOnly":true}"#
            let old = try await Self.read(Trips.self, scene, "POST", "trips:search", stale, token: token)
            #expect(old.ids == ["tr-1"])
        }
    }

    @Test func `finds vehicles for a trip in the requested order`() async throws {
        try await EmulatorScene.run { scene in
            let token = try await Self.populate(scene)
            let search = { (radius: Int, more: String) in
                #"{"pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}},"pickupRadiusMeters":\#(radius),"count":4,"minimumCapacity":1,"tripTypes":["EXCLUSIVE"],"vehicleTypes":[{"category":"AUTO"}],"orderBy":"PICKUP_POINT_ETA"\#(more)}"#
            }
            let found = try await Self.read(
                Matches.self,
                scene,
                "POST",
                "vehicles:search",
                search(1000, ""),
                token: token
            )
            // veh-1 has a trip, veh-5 is a taxi.
            #expect(found.matches?.map { $0.vehicle.name.suffix(5) } == ["veh-2", "veh-3", "veh-4"])
            #expect(
                found.matches?.allSatisfy { $0.vehicleMatchType == "EXCLUSIVE" && $0.vehiclePickupEta != nil } == true
            )
            let near = try await Self.read(
                Matches.self,
                scene,
                "POST",
                "vehicles:search",
                search(400, ""),
                token: token
            )
            #expect(near.matches?.count == 2)
            _ = try await scene.call(
                "PUT",
                "/v1/providers/p/vehicles/veh-1?updateMask=backToBackEnabled",
                #"{"backToBackEnabled":true}"#,
                token: token
            )
            _ = try await scene.call(
                "PUT",
                "/v1/providers/p/trips/tr-1?updateMask=tripStatus",
                #"{"tripStatus":"ENROUTE_TO_DROPOFF"}"#,
                token: token
            )
            let body = search(1000, #","includeBackToBack":true"#)
            let more = try await Self.read(Matches.self, scene, "POST", "vehicles:search", body, token: token)
            #expect(more.matches?.contains { $0.vehicleMatchType == "BACK_TO_BACK" } == true)
            let broken = [
                search(399, ""), search(1000, #","includeBackToBack":true,"currentTripsPresent":"ANY""#),
                search(1000, "").replacing("PICKUP_POINT_ETA", with: "DROPOFF_POINT_ETA"), "{}",
                search(1000, #","colour":"red""#),
            ]
            for body in broken {
                let refused = try await scene.call("POST", "/v1/providers/p/vehicles:search", body, token: token)
                #expect(refused.status == 400, "\(body)")
            }
        }
    }

    @Test func `refuses to delete a vehicle or trip in use, and changes attributes one by one`() async throws {
        try await EmulatorScene.run { scene in
            let token = try await Self.populate(scene)
            #expect(try await scene.call("DELETE", "/v1/providers/p/trips/tr-1", token: token).status == 400)
            #expect(try await scene.call("DELETE", "/v1/providers/p/vehicles/veh-1", token: token).status == 400)
            let gone = try await scene.call("DELETE", "/v1/providers/p/trips/tr-2", token: token)
            #expect(gone.status == 200 && String(decoding: gone.body, as: UTF8.self) == "{}")
            #expect(try await scene.call("GET", "/v1/providers/p/trips/tr-2", token: token).status == 404)
            #expect(try await scene.call("DELETE", "/v1/providers/p/vehicles/veh-2", token: token).status == 200)
            let changed = try await scene.call(
                "POST",
                "/v1/providers/p/vehicles/veh-3:updateAttributes",
                #"{"attributes":[{"key":"class","stringValue":"best"},{"key":"new","boolValue":true}]}"#,
                token: token
            )
            #expect(
                String(decoding: changed.body, as: UTF8.self)
                    == #"{"attributes":[{"key":"class","value":"best","stringValue":"best"},{"key":"number","numberValue":3.0},{"key":"new","boolValue":true}]}"#
            )
            for body in [
                #"{"attributes":[{"key":"a:b","value":"c"}]}"#, #"{"attributes":[{"key":"a"}]}"#,
                #"{"attributes":[{"key":"a","value":"b","stringValue":"c"}]}"#, "{}",
            ] {
                let refused = try await scene.call(
                    "POST",
                    "/v1/providers/p/vehicles/veh-3:updateAttributes",
                    body,
                    token: token
                )
                #expect(refused.status == 400, "\(body)")
            }
        }
    }
}
