import FleetEngineProtos
import FleetWire
import Foundation
import SwiftProtobuf
import Testing
import TripModel
import TripTestSupport

/// Messages on their way between gRPC and the JSON of the service keep their fields.
@Suite("Fields over gRPC", .ends(within: .longTest))
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
    private static func expectRead<Body: Message>(_ type: Body.Type) async throws {
        let messages = try await samples(type)
        #expect(!messages.isEmpty)
        for message in messages {
            let read = try RequestBody.decode(type, from: try message.jsonUTF8Bytes())
            // Bytes are compared, because NaN is not equal to itself.
            #expect(try read.serializedBytes() as Data == message.serializedBytes() as Data)
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the service reads every field of a trip`() async throws {
        try await Self.expectRead(Maps_Fleetengine_V1_Trip.self)
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the service reads every field of a vehicle`() async throws {
        try await Self.expectRead(Maps_Fleetengine_V1_Vehicle.self)
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the service reads every field of the requests that are their own body`() async throws {
        try await Self.expectRead(Maps_Fleetengine_V1_SearchTripsRequest.self)
        try await Self.expectRead(Maps_Fleetengine_V1_SearchVehiclesRequest.self)
        try await Self.expectRead(Maps_Fleetengine_V1_UpdateVehicleAttributesRequest.self)
        try await Self.expectRead(Maps_Fleetengine_V1_ReportBillableTripRequest.self)
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
            let body = MessageBytes.encode(sample)
            let message = try Maps_Fleetengine_V1_Vehicle(jsonUTF8Bytes: body)
            #expect(try VehicleCoding.decode(try message.jsonUTF8Bytes()) == VehicleCoding.decode(body))
            #expect(message.waypoints.count == 2 && message.hasLicensePlate && message.attributes.count == 2)
        }
    }
}
