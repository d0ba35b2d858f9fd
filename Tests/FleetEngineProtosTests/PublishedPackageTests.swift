import FleetEngineProtos
import Foundation
import SwiftProtobuf
import Testing
import TripTestSupport

/// Compares our messages with Google's published Python package.
@Suite("Published package", .ends(within: .longTest))
struct PublishedPackageTests {
    private static let folder = "Tests/FleetEngineProtosTests/Python"

    private struct Comparison: Decodable {
        var counts: [String: [String: Int]]
        var differences: [String]
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the proto files describe the published messages and calls`() async throws {
        let output = try await PythonProgram.run("\(Self.folder)/descriptors.py", ["Assets/Protos"])
        let comparison = try JSONDecoder().decode(Comparison.self, from: output)
        #expect(comparison.differences.isEmpty, "\(comparison.differences.joined(separator: "\n"))")
        #expect(
            comparison.counts == [
                "maps.fleetengine.v1": ["message": 39, "field": 251, "enum": 21, "value": 100, "rpc": 13],
                "maps.fleetengine.delivery.v1": ["message": 30, "field": 165, "enum": 10, "value": 45, "rpc": 12],
            ]
        )
    }

    private struct Sample: Decodable {
        var message: String
        var binary: Data
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the generated code reads and writes every field of the published messages`() async throws {
        let types = Dictionary(uniqueKeysWithValues: Self.messages.map { ($0.protoMessageName, $0) })
        var tested: Set<String> = []
        for line in try await PythonProgram.run("\(Self.folder)/samples.py").split(separator: UInt8(ascii: "\n")) {
            let sample = try JSONDecoder().decode(Sample.self, from: line)
            let object = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            let published = try #require(object["json"] as? NSDictionary)
            let type = try #require(types[sample.message], "\(sample.message)")
            let message = try type.init(serializedBytes: sample.binary)
            let json = try message.jsonUTF8Data()
            #expect(try JSONSerialization.jsonObject(with: json) as? NSDictionary == published, "\(sample.message)")
            #expect(try type.init(jsonUTF8Data: json).isEqualTo(message: message), "\(sample.message)")
            #expect(try message.serializedBytes() as Data == sample.binary, "\(sample.message)")
            tested.insert(sample.message)
        }
        #expect(tested == Set(types.keys))
        #expect(tested.count == 69)
    }

    static let messages: [any Message.Type] = [
        Maps_Fleetengine_Delivery_V1_BatchCreateTasksRequest.self,
        Maps_Fleetengine_Delivery_V1_BatchCreateTasksResponse.self,
        Maps_Fleetengine_Delivery_V1_CreateDeliveryVehicleRequest.self,
        Maps_Fleetengine_Delivery_V1_CreateTaskRequest.self,
        Maps_Fleetengine_Delivery_V1_DeleteDeliveryVehicleRequest.self,
        Maps_Fleetengine_Delivery_V1_DeleteTaskRequest.self,
        Maps_Fleetengine_Delivery_V1_DeliveryRequestHeader.self,
        Maps_Fleetengine_Delivery_V1_DeliveryVehicle.self,
        Maps_Fleetengine_Delivery_V1_DeliveryVehicleAttribute.self,
        Maps_Fleetengine_Delivery_V1_DeliveryVehicleLocation.self,
        Maps_Fleetengine_Delivery_V1_GetDeliveryVehicleRequest.self,
        Maps_Fleetengine_Delivery_V1_GetTaskRequest.self,
        Maps_Fleetengine_Delivery_V1_GetTaskTrackingInfoRequest.self,
        Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesRequest.self,
        Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesResponse.self,
        Maps_Fleetengine_Delivery_V1_ListTasksRequest.self,
        Maps_Fleetengine_Delivery_V1_ListTasksResponse.self,
        Maps_Fleetengine_Delivery_V1_LocationInfo.self,
        Maps_Fleetengine_Delivery_V1_Task.self,
        Maps_Fleetengine_Delivery_V1_Task.JourneySharingInfo.self,
        Maps_Fleetengine_Delivery_V1_TaskAttribute.self,
        Maps_Fleetengine_Delivery_V1_TaskTrackingInfo.self,
        Maps_Fleetengine_Delivery_V1_TaskTrackingViewConfig.self,
        Maps_Fleetengine_Delivery_V1_TaskTrackingViewConfig.VisibilityOption.self,
        Maps_Fleetengine_Delivery_V1_TimeWindow.self,
        Maps_Fleetengine_Delivery_V1_UpdateDeliveryVehicleRequest.self,
        Maps_Fleetengine_Delivery_V1_UpdateTaskRequest.self,
        Maps_Fleetengine_Delivery_V1_VehicleJourneySegment.self,
        Maps_Fleetengine_Delivery_V1_VehicleStop.self,
        Maps_Fleetengine_Delivery_V1_VehicleStop.TaskInfo.self,
        Maps_Fleetengine_V1_BatteryInfo.self,
        Maps_Fleetengine_V1_ConsumableTrafficPolyline.self,
        Maps_Fleetengine_V1_CreateTripRequest.self,
        Maps_Fleetengine_V1_CreateVehicleRequest.self,
        Maps_Fleetengine_V1_DeleteTripRequest.self,
        Maps_Fleetengine_V1_DeleteVehicleRequest.self,
        Maps_Fleetengine_V1_DeviceSettings.self,
        Maps_Fleetengine_V1_GetTripRequest.self,
        Maps_Fleetengine_V1_GetVehicleRequest.self,
        Maps_Fleetengine_V1_LicensePlate.self,
        Maps_Fleetengine_V1_ListVehiclesRequest.self,
        Maps_Fleetengine_V1_ListVehiclesResponse.self,
        Maps_Fleetengine_V1_ReportBillableTripRequest.self,
        Maps_Fleetengine_V1_RequestHeader.self,
        Maps_Fleetengine_V1_SearchTripsRequest.self,
        Maps_Fleetengine_V1_SearchTripsResponse.self,
        Maps_Fleetengine_V1_SearchVehiclesRequest.self,
        Maps_Fleetengine_V1_SearchVehiclesResponse.self,
        Maps_Fleetengine_V1_SpeedReadingInterval.self,
        Maps_Fleetengine_V1_StopLocation.self,
        Maps_Fleetengine_V1_TerminalLocation.self,
        Maps_Fleetengine_V1_TerminalPointId.self,
        Maps_Fleetengine_V1_TrafficPolylineData.self,
        Maps_Fleetengine_V1_Trip.self,
        Maps_Fleetengine_V1_TripAttribute.self,
        Maps_Fleetengine_V1_TripWaypoint.self,
        Maps_Fleetengine_V1_UpdateTripRequest.self,
        Maps_Fleetengine_V1_UpdateVehicleAttributesRequest.self,
        Maps_Fleetengine_V1_UpdateVehicleAttributesResponse.self,
        Maps_Fleetengine_V1_UpdateVehicleRequest.self,
        Maps_Fleetengine_V1_Vehicle.self,
        Maps_Fleetengine_V1_Vehicle.VehicleType.self,
        Maps_Fleetengine_V1_VehicleAttribute.self,
        Maps_Fleetengine_V1_VehicleAttributeList.self,
        Maps_Fleetengine_V1_VehicleLocation.self,
        Maps_Fleetengine_V1_VehicleMatch.self,
        Maps_Fleetengine_V1_VisualTrafficReportPolylineRendering.self,
        Maps_Fleetengine_V1_VisualTrafficReportPolylineRendering.RoadStretch.self,
        Maps_Fleetengine_V1_Waypoint.self,
    ]
}
