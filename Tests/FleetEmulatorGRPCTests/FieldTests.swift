import FleetEngineProtos
import FleetWire
import Foundation
import SwiftProtobuf
import Testing
import TripModel
import TripTestSupport

/// Messages on their way between gRPC and the JSON of the service keep their fields.
@Suite("Fields over gRPC", .ends(within: .minutes(10)))
struct FieldTests {
    private struct Sample: Decodable {
        var message: String
        var binary: Data
    }

    /// Returns messages of Google's published package in which every field is set.
    private static func samples<Sampled: Message>(_ type: Sampled.Type) async throws -> [Sampled] {
        try await PythonProgram.run("Tests/FleetEngineProtosTests/Python/samples.py")
            .split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(Sample.self, from: $0) }
            .filter { $0.message == type.protoMessageName }
            .map { try type.init(serializedBytes: $0.binary) }
    }

    /// Expects that the service reads every field of a request's body and changes none.
    private static func expectRead(_ messages: [some Message], as fields: [String: ProtoShape]) throws {
        #expect(!messages.isEmpty)
        for message in messages {
            let json: Data = try message.jsonUTF8Bytes()
            let read = Data(try RequestBody.normalized([UInt8](json), as: fields))
            let (expected, actual) = (
                try JSONSerialization.jsonObject(with: json) as? NSDictionary,
                try JSONSerialization.jsonObject(with: read) as? NSDictionary
            )
            #expect(expected == actual)
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the service reads every field of a trip`() async throws {
        try Self.expectRead(try await Self.samples(Maps_Fleetengine_V1_Trip.self), as: ProtoShape.trip)
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the service reads every field of a vehicle`() async throws {
        try Self.expectRead(try await Self.samples(Maps_Fleetengine_V1_Vehicle.self), as: ProtoShape.vehicle)
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the service reads every field of the requests that are their own body`() async throws {
        try Self.expectRead(
            try await Self.samples(Maps_Fleetengine_V1_SearchTripsRequest.self),
            as: ProtoShape.searchTrips
        )
        try Self.expectRead(
            try await Self.samples(Maps_Fleetengine_V1_SearchVehiclesRequest.self),
            as: ProtoShape.searchVehicles
        )
        try Self.expectRead(
            try await Self.samples(Maps_Fleetengine_V1_UpdateVehicleAttributesRequest.self),
            as: ProtoShape.updateAttributes
        )
        try Self.expectRead(
            try await Self.samples(Maps_Fleetengine_V1_ReportBillableTripRequest.self),
            as: ProtoShape.reportBillableTrip
        )
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why), arguments: [PathFormat.points, .encoded])
    func `every field of a trip that the service sends arrives`(format: PathFormat) async throws {
        for var sample in try await Self.samples(Maps_Fleetengine_V1_Trip.self) {
            sample.name = "providers/p/trips/t"
            sample.currentRouteSegment = ""
            let body = TripCoding.encode(try TripCoding.decode(try sample.jsonUTF8Bytes()), format: format)
            let message = try Maps_Fleetengine_V1_Trip(jsonUTF8Bytes: body)
            #expect(try TripCoding.decode(try message.jsonUTF8Bytes()) == TripCoding.decode(body))
            #expect(message.hasLastLocation && message.lastLocation.hasHeading && message.attributes.count == 2)
            #expect(format == .points ? message.route.count == 2 : !message.currentRouteSegment.isEmpty)
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `every field of a vehicle that the service sends arrives`() async throws {
        for var sample in try await Self.samples(Maps_Fleetengine_V1_Vehicle.self) {
            sample.name = "providers/p/vehicles/v"
            sample.currentRouteSegment = ""
            let body = VehicleCoding.encode(try VehicleCoding.decode(try sample.jsonUTF8Bytes()))
            let message = try Maps_Fleetengine_V1_Vehicle(jsonUTF8Bytes: body)
            #expect(try VehicleCoding.decode(try message.jsonUTF8Bytes()) == VehicleCoding.decode(body))
            #expect(message.waypoints.count == 2 && message.hasLicensePlate && message.attributes.count == 2)
        }
    }
}
