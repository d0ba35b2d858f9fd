import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import SwiftProtobuf
import TripModel

/// The calls for a delivery vehicle and its tasks: the calls of the backend, and the calls of the driver besides reports.
struct DeliveryCalls: Sendable {
    let client: DriverClient
    /// The shipments in the vehicle, which calls of its driver are about.
    var shipments: Set<JourneyID> = []

    private var base: String { "/v1/providers/\(PercentEncoding.encode(client.provider.rawValue))" }

    // MARK: The backend

    /// Creates the vehicle and the tasks that exist from the start.
    func prepare(_ script: DriverScript) async throws(DriverError) {
        try await client.call(
            "CreateDeliveryVehicle",
            "POST",
            "\(base)/deliveryVehicles?deliveryVehicleId=\(PercentEncoding.encode(script.vehicle.id))",
            MessageBytes.encode(
                DeliveryVehicleMessage.with { $0.type = EnumNames.deliveryVehicleType.value(script.category) }
            ),
            by: .backend(.deliveries)
        )
        guard !script.tasks.isEmpty else { return }
        let start = client.clock.now().wall - script.passed
        let batch = Maps_Fleetengine_Delivery_V1_BatchCreateTasksRequest.with {
            $0.requests = script.tasks.map { task in
                .with { ($0.taskID, $0.task) = (task.id.rawValue, message(of: task, from: start)) }
            }
        }
        try await client.call(
            "BatchCreateTasks",
            "POST",
            "\(base)/tasks:batchCreate",
            MessageBytes.encode(batch),
            by: .backend(.taskBatch)
        )
    }

    /// Creates a task; its time window counts from the start of the scenario.
    func create(_ task: DriverScript.TaskPlan, from start: Date) async throws(DriverError) {
        try await client.call(
            "CreateTask",
            "POST",
            "\(base)/tasks?taskId=\(PercentEncoding.encode(task.id.rawValue))",
            MessageBytes.encode(message(of: task, from: start)),
            by: .backend(.deliveries)
        )
    }

    /// Closes a task that is in no stop.
    func close(_ task: TaskID) async throws(DriverError) {
        try await update(task, mask: "state", by: .backend(.deliveries)) { $0.state = .closed }
    }

    /// Replaces the stops of the vehicle; the backend assigns tasks with them, the driver changes their states.
    func setStops(_ stops: [DriverScript.DeliveryStop], by sender: DriverClient.Sender) async throws(DriverError) {
        guard let id = client.vehicle.ofDeliveries else { return }
        var vehicle = DeliveryVehicleMessage()
        vehicle.name = ResourceName.deliveryVehicle(client.provider, id).text
        vehicle.remainingVehicleJourneySegments = stops.map { stop in .with { $0.stop = stop.message } }
        try await client.updateDeliveryVehicle(
            FieldMask([DeliveryVehicleRecord.stops]),
            MessageBytes.encode(vehicle),
            by: sender,
            about: shipments
        )
    }

    // MARK: The driver

    /// Sets the outcome of a task with the driver's token.
    func setOutcome(_ outcome: DeliveryTask.Outcome, of task: TaskID) async throws(DriverError) {
        try await update(task, mask: "taskOutcome", by: .driver) {
            $0.taskOutcome = outcome == .failed ? .failed : .succeeded
        }
    }

    // MARK: Bodies

    private func update(
        _ id: TaskID,
        mask: String,
        by sender: DriverClient.Sender,
        _ set: (inout TaskMessage) -> Void
    ) async throws(DriverError) {
        // A task has a type and a state; the mask excludes those that are not to be changed.
        var task = message(id, .delivery)
        set(&task)
        try await client.call(
            "UpdateTask",
            "PATCH",
            "/v1/\(ResourceName.task(client.provider, id).path)?updateMask=\(mask)",
            MessageBytes.encode(task),
            by: sender,
            about: shipments
        )
    }

    /// Returns an open task with a name and a kind only.
    private func message(_ id: TaskID, _ kind: DeliveryTask.Kind) -> TaskMessage {
        var task = TaskMessage()
        task.name = ResourceName.task(client.provider, id).text
        task.kind = kind
        task.state = .open
        return task
    }

    private func message(of plan: DriverScript.TaskPlan, from start: Date) -> TaskMessage {
        var task = message(plan.id, plan.kind)
        task.trackingID = plan.trackingID?.rawValue ?? ""
        task.plannedLocation = PlaceMessage(plan.place)
        task.taskDuration = Google_Protobuf_Duration(.seconds(plan.duration))
        // A promise is made in whole minutes.
        let minute = Date(timeIntervalSince1970: (start.timeIntervalSince1970 / 60).rounded(.down) * 60)
        if let window = plan.window {
            task.targetTimeWindow = WindowMessage(
                TimeWindow(
                    start: minute.addingTimeInterval(window.lowerBound),
                    end: minute.addingTimeInterval(window.upperBound)
                )
            )
        }
        if let view = plan.view { task.taskTrackingViewConfig = ViewConfigMessage(view) }
        return task
    }
}
