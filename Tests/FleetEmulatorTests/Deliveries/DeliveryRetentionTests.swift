import FleetEmulator
import FleetEngineProtos
import FleetWire
import Foundation
import Testing
import TripModel
import TripTestSupport

/// How long tasks and delivery vehicles are kept.
@Suite("Retention of deliveries", .ends(within: .quickTest))
struct DeliveryRetentionTests {
    private static let day = 86_400.0

    @Test func `tasks and vehicles are deleted 7 days after their last change`() throws {
        var world = World(provider: try ProviderID("p"))
        let (task, tracking) = (try TaskID("t"), try TrackingID("s"))
        let (old, used) = (try DeliveryVehicleID("old"), try DeliveryVehicleID("used"))
        let body = try TaskMessage(
            json:
                #"{"type":"DELIVERY","state":"OPEN","trackingId":"s","taskDuration":"1s","plannedLocation":{"point":{"latitude":51}}}"#
        )
        _ = try world.deliveries.createTask(task, body, at: DeliveryScene.start)
        for id in [old, used] {
            _ = try world.deliveries.createVehicle(id, DeliveryVehicleMessage(), at: DeliveryScene.start)
        }
        // The vehicle that reports keeps the task in its stop.
        let plan = try DeliveryVehicleMessage(
            json:
                #"{"remainingVehicleJourneySegments":[{"stop":{"plannedLocation":{"point":{"latitude":51}},"tasks":[{"taskId":"t"}]}}]}"#
        )
        _ = try world.deliveries.updateVehicle(
            used,
            mask: FieldMask(["remainingVehicleJourneySegments"]),
            plan,
            at: DeliveryScene.start
        )
        let type = try DeliveryVehicleMessage(json: #"{"type":"BICYCLE"}"#)
        let later = DeliveryScene.time(6 * Self.day)
        _ = try world.deliveries.updateVehicle(used, mask: FieldMask(["type"]), type, at: later)

        let first = DeliveryScene.time(8 * Self.day)
        world.forgetOld(at: first)
        #expect(throws: ServiceError.self) { try world.deliveries.vehicle(old, at: first) }
        #expect(try world.deliveries.vehicle(used, at: first).remainingVehicleJourneySegments.count == 1)
        #expect(try world.deliveries.trackingInfo(tracking, at: first).state == .open)

        let second = DeliveryScene.time(14 * Self.day)
        world.forgetOld(at: second)
        #expect(throws: ServiceError.self) { try world.deliveries.vehicle(used, at: second) }
        #expect(throws: ServiceError.self) { try world.deliveries.task(task, at: second) }
        #expect(throws: ServiceError.self) { try world.deliveries.trackingInfo(tracking, at: second) }
    }
}
