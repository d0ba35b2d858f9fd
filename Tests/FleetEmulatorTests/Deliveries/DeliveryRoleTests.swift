import Failures
import FleetEmulator
import FleetEngineProtos
import FleetWire
import Foundation
import Testing
import TripModel
import TripTestSupport

/// Every role and every claim with every call of DeliveryService.
@Suite("Roles and claims of deliveries", .ends(within: .quickTest))
struct DeliveryRoleTests {
    /// The calls by name, about the task `t`, the tracking ID `s` and the vehicle `v`; updates by their fields.
    private static func calls() throws -> [String: DeliveryRequest] {
        let (task, tracking, vehicle) = (try TaskID("t"), try TrackingID("s"), try DeliveryVehicleID("v"))
        let batch = try TaskBatch(body: Array(#"{"requests":[{"taskId":"t"}]}"#.utf8), provider: try ProviderID("p"))
        func update(_ mask: String) -> DeliveryRequest {
            .updateVehicle(vehicle, FieldMask(text: mask), DeliveryVehicleMessage())
        }
        return [
            "GetTaskTrackingInfo": .getTaskTrackingInfo(tracking), "CreateTask": .createTask(task, TaskMessage()),
            "BatchCreateTasks": .batchCreateTasks(batch), "GetTask": .getTask(task),
            "UpdateTask": .updateTask(task, FieldMask(["state"]), TaskMessage()), "DeleteTask": .deleteTask(task),
            "ListTasks": .listTasks(TaskList()),
            "CreateDeliveryVehicle": .createVehicle(vehicle, DeliveryVehicleMessage()),
            "GetDeliveryVehicle": .getVehicle(vehicle), "DeleteDeliveryVehicle": .deleteVehicle(vehicle),
            "ListDeliveryVehicles": .listVehicles(DeliveryVehicleList()),
            "location": update("last_location,navigationStatus,currentRouteSegment,remainingDuration,pastLocations"),
            "stops": update("remainingVehicleJourneySegments"), "attributes": update("attributes"),
            "type": update("type"),
        ]
    }

    private static let all: Set<String> = [
        "GetTaskTrackingInfo", "CreateTask", "BatchCreateTasks", "GetTask", "UpdateTask", "DeleteTask", "ListTasks",
        "CreateDeliveryVehicle", "GetDeliveryVehicle", "DeleteDeliveryVehicle", "ListDeliveryVehicles", "location",
        "stops",
        "attributes", "type",
    ]

    private static let permitted: [Caller.Role: Set<String>] = [
        .deliveryConsumer: ["GetTaskTrackingInfo"], .deliveryUntrustedDriver: ["GetDeliveryVehicle", "location"],
        .deliveryTrustedDriver: [
            "CreateDeliveryVehicle", "GetDeliveryVehicle", "location", "stops", "attributes", "type", "CreateTask",
            "BatchCreateTasks", "UpdateTask",
        ],
        .deliveryFleetReader: [
            "GetDeliveryVehicle", "ListDeliveryVehicles", "GetTask", "ListTasks", "GetTaskTrackingInfo",
        ],
        .deliverySuperUser: all, .deliveryAdmin: all, .consumer: [], .driver: [], .server: [], .ondemandAdmin: [],
        .noRole: [],
    ]

    /// Returns the error of a call in a world without anything.
    private static func refusal(_ request: DeliveryRequest, _ caller: Caller) throws -> ServiceError? {
        let service = FleetService(.world(World(provider: try ProviderID("p"))))
        do {
            _ = try service.call(.delivery(request), by: caller, at: DeliveryScene.start)
            return nil
        } catch {
            return error.answer.httpStatus == 403 ? error : nil
        }
    }

    private static func claims(_ change: (inout DeliveryClaims) -> Void) -> DeliveryClaims {
        var claims = DeliveryClaims()
        change(&claims)
        return claims
    }

    private static func caller(_ role: Caller.Role, _ claims: DeliveryClaims) -> Caller {
        var caller = Caller(role: role, tripID: nil, vehicleID: nil)
        caller.delivery = claims
        return caller
    }

    /// The claims that cover everything for a call.
    private static func wide(for call: String) -> DeliveryClaims {
        claims {
            guard call != "BatchCreateTasks" else {
                $0.taskIDs = ["*"]
                return
            }
            ($0.trackingID, $0.taskID, $0.deliveryVehicleID) = ("*", "*", "*")
        }
    }

    @Test(arguments: Caller.Role.allCases)
    func `a role permits its calls and names the missing permission of others`(role: Caller.Role) throws {
        let permitted = try #require(Self.permitted[role])
        for (name, request) in try Self.calls() {
            let error = try Self.refusal(request, Self.caller(role, Self.wide(for: name)))
            #expect((error == nil) == permitted.contains(name), "\(name)")
            #expect(error == nil || error?.answer.missingPermission?.hasPrefix("fleetengine.") == true, "\(name)")
        }
    }

    @Test func `a mask needs the permission of each group of its fields`() throws {
        let vehicle = try DeliveryVehicleID("v")
        func missing(_ mask: String) throws -> String? {
            let request = DeliveryRequest.updateVehicle(vehicle, FieldMask(text: mask), DeliveryVehicleMessage())
            let caller = Self.caller(.deliveryUntrustedDriver, Self.wide(for: "location"))
            return try Self.refusal(request, caller)?.answer.missingPermission
        }
        #expect(try missing("lastLocation,remainingDistanceMeters") == nil)
        #expect(try missing("lastLocation,attributes") == "fleetengine.deliveryvehicles.update")
        #expect(
            try missing("lastLocation,remainingVehicleJourneySegments")
                == "fleetengine.deliveryvehicles.updateVehicleStops"
        )
    }

    private static let scopes: [(call: String, claims: DeliveryClaims, isCovered: Bool)] = [
        ("GetTaskTrackingInfo", claims { $0.trackingID = "s" }, true),
        ("GetTaskTrackingInfo", claims { $0.trackingID = "other" }, false),
        ("GetTaskTrackingInfo", claims { $0.trackingID = "*" }, true),
        ("GetTaskTrackingInfo", claims { $0.taskID = "t" }, false),
        // A recipient's token has no other claim.
        ("GetTaskTrackingInfo", claims { ($0.trackingID, $0.taskID) = ("s", "t") }, false),
        ("GetTaskTrackingInfo", claims { ($0.trackingID, $0.deliveryVehicleID) = ("s", "v") }, false),
        ("GetTaskTrackingInfo", claims { ($0.trackingID, $0.taskID) = ("*", "*") }, true),
        ("GetTask", claims { $0.taskID = "t" }, true), ("GetTask", claims { $0.taskID = "other" }, false),
        ("GetTask", claims { $0.trackingID = "*" }, false), ("UpdateTask", claims { $0.taskID = "t" }, true),
        ("CreateTask", claims { $0.taskID = "t" }, true), ("DeleteTask", claims { $0.taskID = "x" }, false),
        ("ListTasks", claims { $0.taskID = "t" }, false), ("ListTasks", claims { $0.taskID = "*" }, true),
        ("BatchCreateTasks", claims { $0.taskIDs = ["t"] }, true),
        ("BatchCreateTasks", claims { $0.taskIDs = ["a", "t"] }, true),
        ("BatchCreateTasks", claims { $0.taskIDs = ["a"] }, false),
        ("BatchCreateTasks", claims { $0.taskIDs = ["*"] }, true),
        ("BatchCreateTasks", claims { $0.taskIDs = ["*", "t"] }, false),
        ("BatchCreateTasks", claims { $0.taskIDs = [] }, false),
        ("BatchCreateTasks", claims { $0.taskID = "*" }, false),
        ("BatchCreateTasks", claims { ($0.taskIDs, $0.deliveryVehicleID) = (["t"], "v") }, false),
        // The claim for batches makes the token useless for other calls.
        ("GetTask", claims { ($0.taskIDs, $0.taskID) = (["t"], "t") }, false),
        ("GetDeliveryVehicle", claims { $0.deliveryVehicleID = "v" }, true),
        ("GetDeliveryVehicle", claims { $0.deliveryVehicleID = "w" }, false),
        ("GetDeliveryVehicle", claims { $0.taskID = "*" }, false),
        ("stops", claims { $0.deliveryVehicleID = "v" }, true), ("stops", claims { $0.deliveryVehicleID = "w" }, false),
        ("location", claims { $0.deliveryVehicleID = "w" }, false),
        ("CreateDeliveryVehicle", claims { $0.deliveryVehicleID = "v" }, true),
        ("DeleteDeliveryVehicle", claims { $0.deliveryVehicleID = "w" }, false),
        ("ListDeliveryVehicles", claims { $0.deliveryVehicleID = "v" }, false),
        ("ListDeliveryVehicles", claims { $0.deliveryVehicleID = "*" }, true),
    ]

    @Test(arguments: scopes)
    func `claims cover the calls about their IDs`(call: String, claims: DeliveryClaims, isCovered: Bool) throws {
        let request = try #require(try Self.calls()[call])
        let error = try Self.refusal(request, Self.caller(.deliverySuperUser, claims))
        #expect((error == nil) == isCovered, "\(String(describing: error?.answer.message))")
        // An administrator's claims are ignored.
        #expect(try Self.refusal(request, Self.caller(.deliveryAdmin, claims)) == nil)
    }

    @Test func `claims about trips are claims beside that of a batch`() throws {
        var caller = Self.caller(.deliverySuperUser, Self.claims { $0.taskIDs = ["*"] })
        let request = try #require(try Self.calls()["BatchCreateTasks"])
        #expect(try Self.refusal(request, caller) == nil)
        caller.tripID = "tr-1"
        #expect(try Self.refusal(request, caller) != nil)
    }
}
