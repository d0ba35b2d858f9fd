import FleetEngineProtos
import FleetWire
import Foundation
import SwiftProtobuf
import Testing
import TripModel
import TripTestSupport

/// Random trips and vehicles survive every way of being written and read.
@Suite("Random trips and vehicles", .ends(within: .longTest))
struct RandomModelTests {
    @Test(arguments: 0..<40)
    func `a trip is the same after JSON, binary and numbers of enums`(seed: UInt64) throws {
        var source = RandomModels(seed: seed)
        for _ in 0..<8 {
            let trip = try source.trip()
            let body = TripCoding.encode(trip)
            #expect(try TripCoding.decode(body) == trip)
            #expect(TripCoding.encode(try TripCoding.decode(body)) == body)
            #expect(try TripCoding.decode(TripCoding.encode(trip, enums: .numbers)) == trip)
            let message = TripCoding.message(trip)
            #expect(try Maps_Fleetengine_V1_Trip(serializedBytes: message.serializedBytes() as Data) == message)
            #expect(try TripCoding.trip(message) == trip)
            #expect(try Maps_Fleetengine_V1_Trip(jsonUTF8Bytes: body) == message)
        }
    }

    @Test(arguments: 0..<40)
    func `a trip with unknown names and fields is the same after JSON`(seed: UInt64) throws {
        var source = RandomModels(seed: seed)
        source.hasUnknownNames = true
        for _ in 0..<5 {
            var trip = try source.trip()
            let body = TripCoding.encode(trip).dropLast() + Array(#","newer":[1,{"a":null}]}"#.utf8)
            trip.unknownFields = [UnknownField(name: "newer", text: "[…]")]
            #expect(try TripCoding.decode(Array(body)) == trip)
        }
    }

    @Test(arguments: 0..<40)
    func `a vehicle is the same after JSON, binary and numbers of enums`(seed: UInt64) throws {
        var source = RandomModels(seed: seed)
        for _ in 0..<8 {
            let message = try source.vehicle()
            let vehicle = try VehicleCoding.vehicle(message)
            #expect(try VehicleCoding.decode(MessageBytes.encode(message)) == vehicle)
            #expect(try VehicleCoding.decode(MessageBytes.encode(message, enums: .numbers)) == vehicle)
            #expect(try Maps_Fleetengine_V1_Vehicle(serializedBytes: message.serializedBytes() as Data) == message)
        }
    }
}
