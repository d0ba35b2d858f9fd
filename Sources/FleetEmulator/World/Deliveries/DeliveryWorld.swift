import FleetEngineProtos
package import FleetWire
package import Foundation
package import TripModel

/// The tasks and delivery vehicles and their rules, as a value without clock, HTTP or tokens.
///
/// Every change gets the service's time of the call.
package struct DeliveryWorld: Sendable {
    /// The project that owns all resources.
    package let provider: ProviderID
    let roads: Roads
    var tasks: [TaskID: TaskRecord] = [:]
    var vehicles: [DeliveryVehicleID: DeliveryVehicleRecord] = [:]
    /// The tasks of each shipment in order of creation.
    var shipments: [TrackingID: [TaskID]] = [:]
    /// The number of tasks and vehicles ever created.
    var created = 0

    /// CreateTask.
    package mutating func createTask(
        _ id: TaskID,
        _ body: TaskMessage,
        at now: Date
    ) throws(ServiceError) -> TaskMessage {
        try checkIsNew(id)
        insert(id, try TaskRecord.task(id, in: provider, body), at: now)
        return try task(id, at: now)
    }

    /// BatchCreateTasks: creates all tasks, or none.
    package mutating func createTasks(
        _ batch: TaskBatch,
        at now: Date
    ) throws(ServiceError) -> [TaskMessage] {
        var new: [TaskMessage] = []
        for item in batch.items {
            try checkIsNew(item.id)
            new.append(try TaskRecord.task(item.id, in: provider, item.task))
        }
        for (item, task) in zip(batch.items, new) { insert(item.id, task, at: now) }
        return new
    }

    private func checkIsNew(_ id: TaskID) throws(ServiceError) {
        guard tasks[id] == nil else { throw .alreadyExists("Task \(id) already exists") }
    }

    private mutating func insert(_ id: TaskID, _ task: TaskMessage, at now: Date) {
        created += 1
        let record = TaskRecord(task: task, id: id, number: created, updatedAt: now)
        tasks[id] = record
        if let shipment = record.trackingID { shipments[shipment, default: []].append(id) }
    }

    /// GetTask.
    package func task(_ id: TaskID, at now: Date) throws(ServiceError) -> TaskMessage {
        guard let record = tasks[id] else { throw .notFound(id.rawValue) }
        return view(of: record, at: now)
    }

    /// UpdateTask: applies the fields that the mask names.
    package mutating func updateTask(
        _ id: TaskID,
        mask: FieldMask,
        _ body: TaskMessage,
        at now: Date
    ) throws(ServiceError) -> TaskMessage {
        guard var record = tasks[id] else { throw .notFound(id.rawValue) }
        try record.update(
            mask: mask,
            body,
            isAssigned: stop(of: id, at: now) != nil,
            location: record.vehicleID.flatMap { vehicles[$0]?.vehicle.rawPosition },
            at: now
        )
        tasks[id] = record
        return view(of: record, at: now)
    }

    /// DeleteTask: refused for a task that is open and assigned.
    package mutating func deleteTask(_ id: TaskID) throws(ServiceError) {
        guard let record = tasks[id] else { throw .notFound(id.rawValue) }
        guard record.task.state != .open || !isAssigned(record) else {
            throw .failedPrecondition("Task \(id) is open and assigned to a delivery vehicle")
        }
        remove(id)
    }

    private mutating func remove(_ id: TaskID) {
        guard let shipment = tasks.removeValue(forKey: id)?.trackingID else { return }
        shipments[shipment]?.removeAll { $0 == id }
        if shipments[shipment]?.isEmpty == true { shipments[shipment] = nil }
    }

    /// ListTasks; results are in order of creation.
    package func listTasks(
        _ list: TaskList,
        at now: Date
    ) throws(ServiceError) -> Page<TaskMessage> {
        let found = tasks.values.filter { list.filter?.matches($0.task) != false }
        let page = try Page(of: found.map { ($0.number, $0) }, list.page, filter: list.filter?.text ?? "")
        return Page(items: page.items.map { view(of: $0, at: now) }, next: page.next, total: page.total)
    }

    /// Closes tasks.
    mutating func close(_ ids: some Sequence<TaskID>, at now: Date) {
        for id in ids where tasks[id]?.task.state == .open {
            tasks[id]?.task.state = .closed
            tasks[id]?.updatedAt = now
        }
    }

    /// Deletes tasks and vehicles 7 days after their last update.
    mutating func forgetOld(at now: Date) {
        let limit = now.addingTimeInterval(-7 * 86_400)
        for (id, record) in vehicles where record.updatedAt <= limit {
            // Its stops are removed with it, which closes their tasks.
            for task in record.taskIDs { tasks[task]?.task.state = .closed }
            vehicles[id] = nil
        }
        for (id, record) in tasks where record.updatedAt <= limit && !isAssigned(record) { remove(id) }
    }

    // MARK: Views

    private func isAssigned(_ task: TaskRecord) -> Bool {
        task.vehicleID.flatMap { vehicles[$0]?.stopIndex(of: task.id) } != nil
    }

    /// Returns the vehicle of an open task as it is now, and the index of the task's stop; `nil` if it is not assigned.
    func stop(of id: TaskID, at now: Date) -> (vehicle: DeliveryVehicleRecord, index: Int)? {
        guard let record = tasks[id], record.task.state == .open,
            let vehicle = record.vehicleID.flatMap({ vehicles[$0] }), let index = vehicle.stopIndex(of: id)
        else { return nil }
        return (vehicle.current(roads: roads, at: now), index)
    }

    private func view(of record: TaskRecord, at now: Date) -> TaskMessage {
        var task = record.task
        guard let (vehicle, index) = stop(of: record.id, at: now) else { return task }
        let answered = vehicle.answered
        let segments = answered.remainingVehicleJourneySegments[...index]
        // The answer has the way to the stop, and not what happens at the stops of others.
        task.journeySharingInfo.remainingVehicleJourneySegments = segments.map {
            var segment = $0
            segment.clearStop()
            return segment
        }
        guard answered.hasLastLocation else { return task }
        task.journeySharingInfo.lastLocation = answered.lastLocation
        task.journeySharingInfo.lastLocationSnappable = !segments[0].path.isEmpty
        return task
    }
}

extension DeliveryWorld {
    /// GetTaskTrackingInfo: what the recipient of a shipment sees.
    package func trackingInfo(_ id: TrackingID, at now: Date) throws(ServiceError) -> TaskTrackingInfo {
        let records = (shipments[id] ?? []).compactMap { tasks[$0] }.sorted { $0.number < $1.number }
        // Each stored task has a valid name.
        let models = records.compactMap { try? DeliveryTaskCoding.task($0.task) }
        guard let task = models.shown(stop: { stop(of: $0.id, at: now)?.index }) else {
            throw .notFound(id.rawValue)
        }
        var info = TaskTrackingInfo(task, trackingID: id)
        guard let (vehicle, index) = stop(of: task.id, at: now) else { return info }
        info.show(
            vehicle.vehicle.hasLastLocation ? vehicle.vehicle.lastLocation.model : nil,
            approach(of: vehicle, to: index),
            by: task.trackingView,
            isOnBreak: vehicle.plan.segments.isOnBreak { tasks[$0]?.task.kind },
            at: now
        )
        return info
    }

    /// Returns the way of a vehicle to one of its stops.
    private func approach(of record: DeliveryVehicleRecord, to index: Int) -> Approach {
        let segments = Array(record.plan.segments[...index])
        let durations = segments.map { segment in
            (segment.stop?.tasks ?? []).reduce(Duration.zero) { $0 + (tasks[$1.id]?.task.taskDuration.length ?? .zero) }
        }
        return Approach(segments, durations: durations, from: record.plan.time, arrivedAt: record.plan.arrivedAt)
    }
}
