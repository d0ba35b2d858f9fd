import Failures
import FleetEngineProtos
import Foundation
import GRPCCore
import SwiftProtobuf
import Synchronization
import Testing
import TripTestSupport

@testable import FleetEmulator

/// Calls of DeliveryService over gRPC as REST requests.
@Suite("Calls of deliveries over gRPC", .ends(within: .quickTest))
struct DeliveryCallTests {
    /// Returns the method, the target and the names of the fields in the body of the request of a call.
    private static func sent(_ message: some Message) async throws -> String {
        let requests = Mutex<[HTTPTransportRequest]>([])
        let calls = EngineCalls(
            engine: HTTPTransport { request throws(Failure) in
                requests.withLock { $0.append(request) }
                return HTTPTransportResponse(status: 200, body: Array("{}".utf8))
            }
        )
        _ = try await calls.answer(to: message)
        let request = try #require(requests.withLock { $0 }.first)
        let object = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
        let fields = object.map { " " + $0.keys.sorted().joined(separator: ",") } ?? ""
        return "\(request.method) \(request.url.trimmingPrefix("http://engine.test/v1/providers/p/"))\(fields)"
    }

    @Test func `the six calls about tasks are the REST requests with the same meaning`() async throws {
        var create = Maps_Fleetengine_Delivery_V1_CreateTaskRequest()
        (create.parent, create.taskID, create.task.type) = ("providers/p", "a b", .delivery)
        #expect(try await Self.sent(create) == "POST tasks?taskId=a%20b type")
        var batch = Maps_Fleetengine_Delivery_V1_BatchCreateTasksRequest()
        (batch.parent, batch.requests) = ("providers/p", [create])
        #expect(try await Self.sent(batch) == "POST tasks:batchCreate parent,requests")
        var get = Maps_Fleetengine_Delivery_V1_GetTaskRequest()
        get.name = "providers/p/tasks/t"
        #expect(try await Self.sent(get) == "GET tasks/t")
        var update = Maps_Fleetengine_Delivery_V1_UpdateTaskRequest()
        (update.task.name, update.task.taskOutcome) = ("providers/p/tasks/t", .succeeded)
        update.updateMask.paths = ["task_outcome", "state"]
        #expect(try await Self.sent(update) == "PATCH tasks/t?updateMask=task_outcome%2Cstate name,taskOutcome")
        var delete = Maps_Fleetengine_Delivery_V1_DeleteTaskRequest()
        delete.name = "providers/p/tasks/t"
        #expect(try await Self.sent(delete) == "DELETE tasks/t")
        var list = Maps_Fleetengine_Delivery_V1_ListTasksRequest()
        (list.parent, list.pageSize, list.pageToken, list.filter) = ("providers/p", 2, "x", "state = OPEN")
        #expect(try await Self.sent(list) == "GET tasks?pageSize=2&pageToken=x&filter=state%20%3D%20OPEN")
    }

    @Test func `the calls about vehicles and tracking are the REST requests with the same meaning`() async throws {
        var track = Maps_Fleetengine_Delivery_V1_GetTaskTrackingInfoRequest()
        track.name = "providers/p/taskTrackingInfo/s"
        #expect(try await Self.sent(track) == "GET taskTrackingInfo/s")
        var create = Maps_Fleetengine_Delivery_V1_CreateDeliveryVehicleRequest()
        (create.parent, create.deliveryVehicleID, create.deliveryVehicle.type) = ("providers/p", "v", .bicycle)
        #expect(try await Self.sent(create) == "POST deliveryVehicles?deliveryVehicleId=v type")
        var get = Maps_Fleetengine_Delivery_V1_GetDeliveryVehicleRequest()
        get.name = "providers/p/deliveryVehicles/v"
        #expect(try await Self.sent(get) == "GET deliveryVehicles/v")
        var update = Maps_Fleetengine_Delivery_V1_UpdateDeliveryVehicleRequest()
        update.deliveryVehicle.name = "providers/p/deliveryVehicles/v"
        update.deliveryVehicle.currentRouteSegment = Data([1, 2])
        update.updateMask.paths = ["current_route_segment"]
        #expect(
            try await Self.sent(update)
                == "PATCH deliveryVehicles/v?updateMask=current_route_segment currentRouteSegment,name"
        )
        var delete = Maps_Fleetengine_Delivery_V1_DeleteDeliveryVehicleRequest()
        delete.name = "providers/p/deliveryVehicles/v"
        #expect(try await Self.sent(delete) == "DELETE deliveryVehicles/v")
        var list = Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesRequest()
        (list.parent, list.viewport.high.latitude) = ("providers/p", 1.5)
        #expect(
            try await Self.sent(list)
                == "GET deliveryVehicles?viewport.low.latitude=0.0&viewport.low.longitude=0.0"
                + "&viewport.high.latitude=1.5&viewport.high.longitude=0.0"
        )
    }

    @Test(arguments: ["", "providers/p/trips/t", "providers/p/tasks", "t", "providers/p/tasks/t:close"])
    func `a name of another form is INVALID_ARGUMENT`(name: String) async throws {
        var message = Maps_Fleetengine_Delivery_V1_UpdateTaskRequest()
        message.task.name = name
        let calls = EngineCalls(engine: HTTPTransport { _ throws(Failure) in HTTPTransportResponse(status: 404) })
        let error = await #expect(throws: RPCError.self) { try await calls.answer(to: message) }
        #expect(error?.code == .invalidArgument)
    }
}
