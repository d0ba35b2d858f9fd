import FleetEngineProtos
package import FleetWire
package import Foundation
import SwiftProtobuf
package import TripModel

extension DeliveryWorld {
    /// CreateDeliveryVehicle: fields that can't be set at first are an error.
    package mutating func createVehicle(
        _ id: DeliveryVehicleID,
        _ body: DeliveryVehicleMessage,
        at now: Date
    ) throws(ServiceError) -> DeliveryVehicleMessage {
        guard vehicles[id] == nil else { throw .alreadyExists("Delivery vehicle \(id) already exists") }
        let name = ResourceName.deliveryVehicle(provider, id)
        let record = try DeliveryVehicleRecord(body, named: name, number: created + 1, at: now)
        created += 1
        vehicles[id] = record
        return record.answered
    }

    /// GetDeliveryVehicle.
    package func vehicle(_ id: DeliveryVehicleID, at now: Date) throws(ServiceError) -> DeliveryVehicleMessage {
        guard let record = vehicles[id] else { throw .notFound(id.rawValue) }
        return view(of: record.current(roads: roads, at: now))
    }

    /// UpdateDeliveryVehicle: applies the fields that the mask names.
    ///
    /// A list of stops assigns the tasks that it names, and closes those that were assigned and that it does not name.
    package mutating func updateVehicle(
        _ id: DeliveryVehicleID,
        mask: FieldMask,
        _ body: DeliveryVehicleMessage,
        at now: Date
    ) throws(ServiceError) -> DeliveryVehicleMessage {
        guard var record = vehicles[id] else { throw .notFound(id.rawValue) }
        try record.update(mask: mask, body, at: now)
        if mask.contains(DeliveryVehicleRecord.stops) {
            let sent = body.remainingVehicleJourneySegments.map(\.stop)
            let stops = Self.remaining(sent)
            try checkTasks(of: stops, for: id)
            let before = record.taskIDs
            record.setStops(stops, at: now)
            let assigned = record.taskIDs
            // Also the tasks of stops that count as completed because the vehicle is at a later one.
            let named = sent.flatMap(\.taskIDs)
            for task in named where tasks[task]?.task.state == .open && tasks[task]?.vehicleID ?? id == id {
                tasks[task]?.task.deliveryVehicleID = id.rawValue
                tasks[task]?.updatedAt = now
            }
            close(Set(before + named.filter { tasks[$0]?.vehicleID == id }).subtracting(assigned), at: now)
        }
        record.replan(roads: roads, at: now)
        vehicles[id] = record
        return view(of: record)
    }

    /// DeleteDeliveryVehicle: refused while the vehicle has open tasks.
    package mutating func deleteVehicle(_ id: DeliveryVehicleID) throws(ServiceError) {
        guard let record = vehicles[id] else { throw .notFound(id.rawValue) }
        guard !record.taskIDs.contains(where: { tasks[$0]?.task.state == .open }) else {
            throw .failedPrecondition("Delivery vehicle \(id) has open tasks")
        }
        vehicles[id] = nil
    }

    /// ListDeliveryVehicles; results are in order of creation and have no stops.
    package func listVehicles(_ list: DeliveryVehicleList) throws(ServiceError) -> Page<DeliveryVehicleMessage> {
        let found = vehicles.values.filter { record in
            if let viewport = list.viewport {
                guard let here = record.vehicle.position, viewport.contains(here) else { return false }
            }
            return list.filter?.matches(record.vehicle.attributes.compactMap(\.attribute)) != false
        }
        var filter = list
        filter.page = PageRequest()
        let page = try Page(of: found.map { ($0.number, $0) }, list.page, filter: "\(filter)")
        let items = page.items.map { record in
            var vehicle = record.vehicle
            vehicle.remainingVehicleJourneySegments = []
            return vehicle
        }
        return Page(items: items, next: page.next, total: page.total)
    }

    /// Returns the stops from the last one that the vehicle drives to or is at; those before count as completed.
    private static func remaining(_ stops: [DeliveryStopMessage]) -> ArraySlice<DeliveryStopMessage> {
        stops[(stops.lastIndex { $0.state != .new } ?? 0)...]
    }

    /// Throws if a vehicle can't serve the tasks of its stops.
    private func checkTasks(
        of stops: some Collection<DeliveryStopMessage>,
        for vehicle: DeliveryVehicleID
    ) throws(ServiceError) {
        var seen: Set<TaskID> = []
        for id in stops.flatMap(\.taskIDs) {
            guard let task = tasks[id] else { throw .notFound(id.rawValue) }
            guard seen.insert(id).inserted else { throw .invalidArgument("Task \(id) is in the stops twice") }
            guard task.task.state == .open else {
                throw .failedPrecondition("Task \(id) is closed and can't be assigned")
            }
            guard task.vehicleID == nil || task.vehicleID == vehicle else {
                throw .failedPrecondition("Task \(id) is assigned to another delivery vehicle")
            }
        }
    }

    /// Returns a vehicle with what the service knows of the tasks in its stops.
    private func view(of record: DeliveryVehicleRecord) -> DeliveryVehicleMessage {
        var vehicle = record.answered
        for index in vehicle.remainingVehicleJourneySegments.indices {
            let ids = vehicle.remainingVehicleJourneySegments[index].stop.taskIDs
            vehicle.remainingVehicleJourneySegments[index].stop.tasks = ids.map(taskInfo)
        }
        return vehicle
    }

    /// Returns what the service knows of a task in a stop.
    private func taskInfo(_ id: TaskID) -> DeliveryStopMessage.TaskInfo {
        .with { info in
            info.taskID = id.rawValue
            guard let task = tasks[id]?.task else { return }
            if task.hasTaskDuration { info.taskDuration = task.taskDuration }
            if task.hasTargetTimeWindow { info.targetTimeWindow = task.targetTimeWindow }
        }
    }
}
