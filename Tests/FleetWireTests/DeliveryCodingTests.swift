import FleetEngineProtos
import FleetWire
import Foundation
import SwiftProtobuf
import Testing
import TripModel
import TripTestSupport

/// Tasks, delivery vehicles and what recipients see, as messages and as JSON.
@Suite("Coding of deliveries", .ends(within: .longTest))
struct DeliveryCodingTests {
    @Test(arguments: 0..<40)
    func `a task is the same after JSON, binary and numbers of enums`(seed: UInt64) throws {
        var source = RandomModels(seed: seed)
        for _ in 0..<8 {
            let message = try source.task()
            let task = try DeliveryTaskCoding.task(message)
            #expect(try DeliveryTaskCoding.decode(MessageBytes.encode(message)) == task)
            #expect(try DeliveryTaskCoding.decode(MessageBytes.encode(message, enums: .numbers)) == task)
            #expect(try TaskMessage(serializedBytes: message.serializedBytes() as Data) == message)
        }
    }

    @Test(arguments: 0..<40)
    func `a delivery vehicle is the same after JSON, binary and numbers of enums`(seed: UInt64) throws {
        var source = RandomModels(seed: seed)
        for _ in 0..<8 {
            let message = try source.deliveryVehicle()
            let vehicle = try DeliveryVehicleCoding.vehicle(message)
            #expect(try DeliveryVehicleCoding.decode(MessageBytes.encode(message)) == vehicle)
            #expect(try DeliveryVehicleCoding.decode(MessageBytes.encode(message, enums: .numbers)) == vehicle)
            #expect(try DeliveryVehicleMessage(serializedBytes: message.serializedBytes() as Data) == message)
        }
    }

    @Test(arguments: 0..<40)
    func `what a recipient sees is the same after JSON, binary and numbers of enums`(seed: UInt64) throws {
        var source = RandomModels(seed: seed)
        for _ in 0..<8 {
            let info = try source.trackingInfo()
            let body = TaskTrackingCoding.encode(info)
            #expect(try TaskTrackingCoding.decode(body) == info)
            #expect(try TaskTrackingCoding.decode(TaskTrackingCoding.encode(info, enums: .numbers)) == info)
            #expect(try TaskTrackingCoding.info(TaskTrackingCoding.message(info)) == info)
        }
    }

    @Test(arguments: 0..<40)
    func `unknown names and fields are the same after JSON`(seed: UInt64) throws {
        var source = RandomModels(seed: seed)
        source.hasUnknownNames = true
        for _ in 0..<5 {
            var info = try source.trackingInfo()
            let body = TaskTrackingCoding.encode(info).dropLast() + Array(#","newer":[1,{"a":null}]}"#.utf8)
            info.unknownFields = [UnknownField(name: "newer", text: "[…]")]
            #expect(try TaskTrackingCoding.decode(Array(body)) == info)
        }
    }

    @Test func `decodes an answer of GetTaskTrackingInfo`() throws {
        let info = try TaskTrackingCoding.decode(
            Array(
                #"""
                {"name":"providers/p/taskTrackingInfo/s-1","trackingId":"s-1","state":"OPEN",
                 "vehicleLocation":{"location":{"latitude":51.05,"longitude":3.72},"heading":90,"locationSensor":"GPS"},
                 "routePolylinePoints":[{"latitude":51.05,"longitude":3.72},{"latitude":51.06,"longitude":3.73}],
                 "remainingStopCount":3,"remainingDrivingDistanceMeters":4200,
                 "estimatedArrivalTime":"2026-03-14T08:25:00Z","estimatedTaskCompletionTime":"2026-03-14T08:27:00Z",
                 "plannedLocation":{"point":{"latitude":51.06,"longitude":3.73}},
                 "targetTimeWindow":{"startTime":"2026-03-14T08:00:00Z","endTime":"2026-03-14T09:00:00Z"},
                 "attributes":[{"key":"door","stringValue":"B"},{"key":"empty"}]}
                """#.utf8
            )
        )
        #expect(info.trackingID.rawValue == "s-1" && info.state == .open)
        #expect(info.vehicleLocation?.sensor == "GPS" && info.vehicleLocation?.heading == 90)
        #expect(info.route?.points.count == 2)
        #expect(info.remainingStopCount == 3 && info.remainingDistance == Distance(meters: 4200))
        #expect(info.estimatedCompletion?.timeIntervalSince(try #require(info.estimatedArrival)) == 120)
        #expect(info.targetTimeWindow.map { $0.end.timeIntervalSince($0.start) } == 3600)
        #expect(info.attributes.map(\.value) == [.text("B"), .text("")])
    }

    @Test func `hidden values are absent, and zero is a value`() throws {
        let bare = try TaskTrackingCoding.decode(
            Array(#"{"name":"providers/p/taskTrackingInfo/s","state":"OPEN"}"#.utf8)
        )
        #expect(bare.remainingStopCount == nil && bare.remainingDistance == nil && bare.route == nil)
        var info = bare
        info.remainingDistance = Distance(meters: 0)
        let text = String(decoding: TaskTrackingCoding.encode(info), as: UTF8.self)
        #expect(text.contains(#""remainingDrivingDistanceMeters":0"#))
        #expect(!text.contains("remainingStopCount"))
    }

    @Test(arguments: ["", "tasks/t", "providers/p/trips/t", "providers/p/tasks/", "providers/p/tasks/a/b"])
    func `refuses a name of another resource`(name: String) throws {
        #expect(throws: WireError.self) { try DeliveryTaskCoding.decode(Array(#"{"name":"\#(name)"}"#.utf8)) }
        #expect(throws: WireError.self) { try TaskTrackingCoding.decode(Array(#"{"name":"\#(name)"}"#.utf8)) }
    }

    private static let invalid = [
        #"{"type":"SINGING"}"#, #"{"type":77}"#, #"{"state":9}"#, #"{"taskOutcome":"MAYBE"}"#,
        #"{"plannedLocation":{}}"#, #"{"plannedLocation":{"point":{"latitude":91}}}"#, #"{"taskDuration":"-1s"}"#,
        #"{"targetTimeWindow":{"startTime":"2026-03-14T08:00:00Z"}}"#,
        #"{"targetTimeWindow":{"startTime":"2026-03-14T08:00:00Z","endTime":"2026-03-14T07:00:00Z"}}"#,
        #"{"trackingId":"a/b"}"#, #"{"attributes":[{"key":"a"},{"key":"a"}]}"#, #"{"attributes":[{"key":"a:b"}]}"#,
        #"{"taskTrackingViewConfig":{"routePolylinePointsVisibility":{"always":false}}}"#,
        #"{"taskTrackingViewConfig":{"vehicleLocationVisibility":{"remainingStopCountThreshold":-1}}}"#,
        #"{"taskTrackingViewConfig":{"vehicleLocationVisibility":{"always":true,"never":true}}}"#,
        #"{"taskTrackingViewConfig":{"estimatedArrivalTimeVisibility":{"durationUntilEstimatedArrivalTimeThreshold":"-5s"}}}"#,
        #"{"unknown":1}"#, "[]", "",
    ]

    @Test(arguments: invalid)
    func `refuses an invalid task in a request`(body: String) throws {
        #expect(throws: WireError.self) { try TaskMessage(body: Array(body.utf8)) }
    }

    @Test func `knows which fields a body sets`() throws {
        let task = try TaskMessage(
            body: Array(#"{"name":"x","tracking_id":"s","taskDuration":"0s","state":"OPEN","attributes":[]}"#.utf8)
        )
        #expect(task.setFields == ["name", "trackingId", "taskDuration", "state"])
    }

    private static let invalidBatches: [(body: String, path: String)] = [
        (#"{"requests":[]}"#, "requests"), (#"{"requests":[{}]}"#, "requests[0].taskId"),
        (#"{"requests":[{"taskId":"a"},{"taskId":"a"}]}"#, "requests[1].taskId"),
        (#"{"requests":[{"taskId":"a","parent":"providers/q"}]}"#, "requests[0].parent"),
        (#"{"requests":[{"taskId":"a","header":{"traceId":"1"}}]}"#, "requests[0].header"),
        (#"{"requests":[{"taskId":"a","task":{"taskDuration":"-1s"}}]}"#, "requests[0].task.taskDuration"),
    ]

    @Test(arguments: invalidBatches)
    func `names the place of an error in a batch`(body: String, path: String) throws {
        let provider = try ProviderID("p")
        let error = #expect(throws: WireError.self) { try TaskBatch(body: Array(body.utf8), provider: provider) }
        guard case .unexpected(let place, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(place == path)
    }

    @Test func `a batch has at most 500 tasks`() throws {
        let provider = try ProviderID("p")
        func batch(_ count: Int) -> [UInt8] {
            let requests = (0..<count).map { #"{"taskId":"t\#($0)","parent":"providers/p"}"# }
            return Array(#"{"requests":[\#(requests.joined(separator: ","))]}"#.utf8)
        }
        #expect(try TaskBatch(body: batch(500), provider: provider).items.count == 500)
        #expect(throws: WireError.self) { try TaskBatch(body: batch(501), provider: provider) }
    }
}
