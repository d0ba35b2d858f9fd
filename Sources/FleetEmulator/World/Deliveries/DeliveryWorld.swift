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

    init(provider: ProviderID, roads: Roads) {
        (self.provider, self.roads) = (provider, roads)
    }

    /// CreateTask.
    package mutating func createTask(
        _ id: TaskID,
        _ body: TaskUpdate,
        at now: Date
    ) throws(ServiceError) -> DeliveryTask {
        try checkIsNew(id)
        insert(try TaskRecord.task(id, in: provider, body), at: now)
        return try task(id, at: now)
    }

    /// BatchCreateTasks: creates all tasks, or none.
    package mutating func createTasks(_ batch: TaskBatch, at now: Date) throws(ServiceError) -> [DeliveryTask] {
        var new: [DeliveryTask] = []
        for item in batch.items {
            try checkIsNew(item.id)
            new.append(try TaskRecord.task(item.id, in: provider, item.task))
        }
        for task in new { insert(task, at: now) }
        return new
    }

    private func checkIsNew(_ id: TaskID) throws(ServiceError) {
        guard tasks[id] == nil else { throw .alreadyExists("Task \(id) already exists") }
    }

    private mutating func insert(_ task: DeliveryTask, at now: Date) {
        created += 1
        tasks[task.id] = TaskRecord(task: task, number: created, updatedAt: now)
        if let shipment = task.trackingID { shipments[shipment, default: []].append(task.id) }
    }

    /// GetTask.
    package func task(_ id: TaskID, at now: Date) throws(ServiceError) -> DeliveryTask {
        guard let record = tasks[id] else { throw .notFound(id.rawValue) }
        return view(of: record, at: now)
    }

    /// UpdateTask: applies the fields that the mask names.
    package mutating func updateTask(
        _ id: TaskID,
        mask: FieldMask,
        _ body: TaskUpdate,
        at now: Date
    ) throws(ServiceError) -> DeliveryTask {
        guard var record = tasks[id] else { throw .notFound(id.rawValue) }
        try record.update(
            mask: mask,
            body,
            isAssigned: stop(of: record.task, at: now) != nil,
            location: record.task.vehicleID.flatMap { vehicles[$0]?.rawPosition },
            at: now
        )
        tasks[id] = record
        return view(of: record, at: now)
    }

    /// DeleteTask: refused for a task that is open and assigned.
    package mutating func deleteTask(_ id: TaskID) throws(ServiceError) {
        guard let record = tasks[id] else { throw .notFound(id.rawValue) }
        guard record.task.state != .open || !isAssigned(record.task) else {
            throw .failedPrecondition("Task \(id) is open and assigned to a delivery vehicle")
        }
        remove(id)
    }

    private mutating func remove(_ id: TaskID) {
        guard let task = tasks.removeValue(forKey: id)?.task, let shipment = task.trackingID else { return }
        shipments[shipment]?.removeAll { $0 == id }
        if shipments[shipment]?.isEmpty == true { shipments[shipment] = nil }
    }

    /// ListTasks; results are in order of creation.
    package func listTasks(_ list: TaskList, at now: Date) throws(ServiceError) -> Page<DeliveryTask> {
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
        for (id, record) in tasks where record.updatedAt <= limit && !isAssigned(record.task) { remove(id) }
    }

    // MARK: Views

    private func isAssigned(_ task: DeliveryTask) -> Bool {
        task.vehicleID.flatMap { vehicles[$0]?.stopIndex(of: task.id) } != nil
    }

    /// Returns the vehicle of an open task as it is now, and the index of the task's stop; `nil` if it is not assigned.
    func stop(of task: DeliveryTask, at now: Date) -> (vehicle: DeliveryVehicleRecord, index: Int)? {
        guard task.state == .open, let vehicle = task.vehicleID.flatMap({ vehicles[$0] }),
            let index = vehicle.stopIndex(of: task.id)
        else { return nil }
        return (vehicle.current(roads: roads, at: now), index)
    }

    private func view(of record: TaskRecord, at now: Date) -> DeliveryTask {
        var task = record.task
        guard let (vehicle, index) = stop(of: task, at: now) else { return task }
        // The answer has the way to the stop, and not what happens at the stops of others.
        let segments = vehicle.vehicle.segments[...index].map { segment in
            var segment = segment
            segment.stop = nil
            return segment
        }
        var journey = TaskJourney(segments: segments)
        journey.lastLocation = vehicle.vehicle.lastLocation
        journey.lastLocationSnappable = vehicle.vehicle.lastLocation != nil && segments.first?.path.isEmpty == false
        task.journey = journey
        return task
    }
}
