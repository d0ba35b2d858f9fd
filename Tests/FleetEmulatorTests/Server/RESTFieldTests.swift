import Failures
import FleetEmulator
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Fields and parameters that exist over REST only.
@Suite("REST fields", .ends(within: .quickTest))
struct RESTFieldTests {
    private static let trips = "/v1/providers/p/trips"

    private static func object(_ scene: EmulatorScene, _ target: String, _ token: String) async throws -> JSONValue {
        let answer = try await scene.call("GET", target, token: token)
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try #require(JSONValue(answer.body))
    }

    private static let newTrip = #"""
        {"tripType":"EXCLUSIVE",
         "pickupPoint":{"point":{"latitude":51.05,"longitude":3.72},"place":"places/ChIJ1","pointLocationSource":2},
         "intermediateDestinations":[{"point":{"latitude":51.045,"longitude":3.72}},
          {"point":{"latitude":51.044,"longitude":3.72},"place":"places/ChIJ2"}],
         "dropoff_point":{"point":{"latitude":51.04,"longitude":3.72},
          "point_location_source":"POINT_SOURCE_DEVELOPER_PROVIDED"}}
        """#

    @Test func `the places of a trip are retained over REST`() async throws {
        try await EmulatorScene.run { scene in
            let token = try await scene.address.operatorToken()
            let created = try await scene.call("POST", "\(Self.trips)?tripId=tr-1", Self.newTrip, token: token)
            #expect(created.status == 200, "\(String(decoding: created.body, as: UTF8.self))")
            let rider = try await scene.token("consumer", "tr-1")
            let trip = try await Self.object(scene, "\(Self.trips)/tr-1", rider)
            #expect(trip == JSONValue(created.body))
            #expect(trip[path: "pickupPoint.place"] == .string("places/ChIJ1"))
            #expect(trip[path: "pickupPoint.pointLocationSource"] == .string("POINT_SOURCE_CALCULATED_FROM_PLACE"))
            #expect(trip[path: "pickupPoint.point.latitude"] == .number(51.05))
            #expect(trip[path: "dropoffPoint.pointLocationSource"] == .string("POINT_SOURCE_DEVELOPER_PROVIDED"))
            guard case .array(let stops)? = trip["intermediateDestinations"] else {
                Issue.record("no stops")
                return
            }
            #expect(stops.map { $0["place"]?.string } == [nil, "places/ChIJ2"])
            let list = try await scene.call("POST", "\(Self.trips):search", "{}", token: token)
            #expect(String(decoding: list.body, as: UTF8.self).contains("places/ChIJ2"))
            // An update without the mask changes nothing; with it, the place is replaced or removed.
            let other = #"{"dropoffPoint":{"point":{"latitude":51,"longitude":3.7},"place":"places/ChIJ3"}}"#
            _ = try await scene.call("PUT", "\(Self.trips)/tr-1?updateMask=attributes", other, token: token)
            #expect(try await Self.object(scene, "\(Self.trips)/tr-1", rider)[path: "dropoffPoint.place"] == nil)
            _ = try await scene.call("PUT", "\(Self.trips)/tr-1?updateMask=dropoffPoint", other, token: token)
            let updated = try await Self.object(scene, "\(Self.trips)/tr-1", rider)
            #expect(updated[path: "dropoffPoint.place"] == .string("places/ChIJ3"))
            #expect(updated[path: "dropoffPoint.pointLocationSource"] == nil)
            #expect(updated[path: "pickupPoint.place"] == .string("places/ChIJ1"))
        }
    }

    @Test(arguments: [
        (#"{"place":"places/x"}"#, "pickupPoint: the emulator has no places"),
        (#"{"point":{"latitude":1},"place":"x"}"#, "pickupPoint.place: a name of the form places/{id}"),
        (#"{"point":{"latitude":1},"pointLocationSource":"GUESS"}"#, "pickupPoint.pointLocationSource: one of POINT_"),
        (#"{"point":{"latitude":1,"place":"places/x"}}"#, "place"),
    ])
    func `a place is refused with the reason`(point: String, reason: String) async throws {
        try await EmulatorScene.run { scene in
            let token = try await scene.address.operatorToken()
            let body = #"{"tripType":"EXCLUSIVE","pickupPoint":\#(point)}"#
            let answer = try await scene.call("POST", "\(Self.trips)?tripId=tr-1", body, token: token)
            let error = ServiceAnswer(httpStatus: answer.status, body: answer.body)
            #expect(answer.status == 400 && error.message?.contains(reason) == true, "\(error)")
        }
    }

    @Test func `enums are numbers on request`() async throws {
        try await EmulatorScene.run { scene in
            let token = try await scene.address.operatorToken()
            _ = try await scene.call("POST", "\(Self.trips)?tripId=tr-1", Self.newTrip, token: token)
            try await scene.populate()
            for query in [
                "%24alt=json%3Benum-encoding%3Dint", "$alt=json;enum-encoding=int", "alt=json;enum-encoding=int",
            ] {
                let trip = try await Self.object(scene, "\(Self.trips)/tr-1?\(query)", token)
                #expect(trip["tripStatus"] == .number(1) && trip["tripType"] == .number(2), "\(query)")
                #expect(trip[path: "pickupPoint.pointLocationSource"] == .number(2))
                #expect(trip[path: "pickupPoint.point.latitude"] == .number(51.05))
                let all = try await scene.call("POST", "\(Self.trips):search?\(query)", "{}", token: token)
                #expect(String(decoding: all.body, as: UTF8.self).contains(#""tripStatus":1"#))
                let vehicle = try await Self.object(scene, "/v1/providers/p/vehicles/veh-1?\(query)", token)
                #expect(vehicle["vehicleState"] == .number(2) && vehicle[path: "vehicleType.category"] == .number(1))
                let list = try await Self.object(scene, "/v1/providers/p/vehicles?\(query)", token)
                #expect(list["totalSize"] == .string("1"))
            }
            let named = try await Self.object(scene, "\(Self.trips)/tr-1?$alt=json", token)
            #expect(named["tripStatus"] == .string("NEW"))
            let other = try await scene.call("GET", "\(Self.trips)/tr-1?$alt=proto", token: token)
            #expect(other.status == 400)
        }
    }

    @Test func `usual fields are missing in sparse answers, and the rest is as before`() throws {
        let body = #"""
            {"name":"providers/p/trips/t","tripStatus":"NEW","route":[{"latitude":1}],"etaToFirstWaypoint":"x",
             "lastLocation":{"location":{"latitude":51},"heading":3,"speed":2.5},
             "remainingWaypoints":[{"eta":"x","tripId":"t"},{"duration":"3s"}]}
            """#
        func sparse(_ fields: FieldMask) -> String {
            String(decoding: SparseAnswer.without(fields, Array(body.utf8)), as: UTF8.self)
        }
        #expect(
            sparse(SparseAnswer.usual)
                == #"{"lastLocation":{"location":{"latitude":51}},"name":"providers/p/trips/t","remainingWaypoints":[{"tripId":"t"},{}],"tripStatus":"NEW"}"#
        )
        let some = sparse(FieldMask(text: "last_location,remainingWaypoints.eta"))
        #expect(!some.contains("lastLocation") && some.contains(#"[{"tripId":"t"},{"duration":"3s"}]"#))
        #expect(some.contains(#""route":[{"latitude":1}]"#))
        #expect(SparseAnswer.without(SparseAnswer.usual, Array("<html>".utf8)) == Array("<html>".utf8))
    }
}
