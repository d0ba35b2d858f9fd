import FleetEngineProtos
package import FleetWire
package import Foundation
package import TripModel

extension DeliveryWorld {
    /// CreateDeliveryVehicle: fields that can't be set at first are an error.
    package mutating func createVehicle(
        _ id: DeliveryVehicleID,
        _ body: DeliveryVehicleUpdate,
        at now: Date
    ) throws(ServiceError) -> DeliveryVehicle {
        guard vehicles[id] == nil else { throw .alreadyExists("Delivery vehicle \(id) already exists") }
        for field in body.fields.sorted() where !DeliveryVehicleRecord.creatable.contains(field) {
            throw .invalidArgument("\(field) can't be set when a delivery vehicle is created")
        }
        var vehicle = DeliveryVehicle(id: id, provider: provider)
        vehicle.type = body.type
        vehicle.attributes = body.attributes ?? []
        var record = DeliveryVehicleRecord(vehicle: vehicle, number: created + 1, at: now)
        if let location = body.lastLocation {
            try record.setLocation(location, at: now)
            record.vehicle.pastLocations.add([], last: &record.vehicle.lastLocation, isLastReported: true, at: now)
        }
        created += 1
        vehicles[id] = record
        return record.answered
    }

    /// GetDeliveryVehicle.
    package func vehicle(_ id: DeliveryVehicleID, at now: Date) throws(ServiceError) -> DeliveryVehicle {
        guard let record = vehicles[id] else { throw .notFound(id.rawValue) }
        return view(of: record.current(roads: roads, at: now))
    }

    /// UpdateDeliveryVehicle: applies the fields that the mask names.
    ///
    /// A list of stops assigns the tasks that it names, and closes those that were assigned and that it does not name.
    package mutating func updateVehicle(
        _ id: DeliveryVehicleID,
        mask: FieldMask,
        _ body: DeliveryVehicleUpdate,
        at now: Date
    ) throws(ServiceError) -> DeliveryVehicle {
        guard var record = vehicles[id] else { throw .notFound(id.rawValue) }
        try record.update(mask: mask, body, at: now)
        if mask.contains(DeliveryVehicleRecord.stops) {
            let stops = Self.remaining(body.stops)
            try checkTasks(of: stops, for: id)
            let before = record.taskIDs
            record.setStops(Array(stops), at: now)
            let assigned = record.taskIDs
            // Also the tasks of stops that count as completed because the vehicle is at a later one.
            let named = body.stops.flatMap { $0.tasks.map(\.id) }
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
    package func listVehicles(_ list: DeliveryVehicleList) throws(ServiceError) -> Page<DeliveryVehicle> {
        let found = vehicles.values.filter { record in
            if let viewport = list.viewport {
                guard let here = record.position, viewport.contains(here) else { return false }
            }
            return list.filter?.matches(record.vehicle.attributes) != false
        }
        var filter = list
        filter.page = PageRequest()
        let page = try Page(of: found.map { ($0.number, $0) }, list.page, filter: "\(filter)")
        let items = page.items.map { record in
            var vehicle = record.answered
            vehicle.segments = []
            return vehicle
        }
        return Page(items: items, next: page.next, total: page.total)
    }

    /// Returns the stops from the last one that the vehicle drives to or is at; those before count as completed.
    private static func remaining(_ stops: [VehicleStop]) -> ArraySlice<VehicleStop> {
        stops[(stops.lastIndex { $0.state != .new } ?? 0)...]
    }

    /// Throws if a vehicle can't serve the tasks of its stops.
    private func checkTasks(of stops: some Collection<VehicleStop>, for id: DeliveryVehicleID) throws(ServiceError) {
        var seen: Set<TaskID> = []
        for info in stops.flatMap(\.tasks) {
            guard let task = tasks[info.id] else { throw .notFound(info.id.rawValue) }
            guard seen.insert(info.id).inserted else {
                throw .invalidArgument("Task \(info.id) is in the stops twice")
            }
            guard task.task.state == .open else {
                throw .failedPrecondition("Task \(info.id) is closed and can't be assigned")
            }
            guard task.vehicleID == nil || task.vehicleID == id else {
                throw .failedPrecondition("Task \(info.id) is assigned to another delivery vehicle")
            }
        }
    }

    /// Returns a vehicle with what the service knows of the tasks in its stops.
    private func view(of record: DeliveryVehicleRecord) -> DeliveryVehicle {
        var vehicle = record.answered
        for index in vehicle.segments.indices {
            guard var stop = vehicle.segments[index].stop else { continue }
            for number in stop.tasks.indices {
                let task = tasks[stop.tasks[number].id]?.task
                stop.tasks[number].duration = task?.hasTaskDuration == true ? task?.taskDuration.length : nil
                stop.tasks[number].targetTimeWindow = task?.targetTimeWindow.window
            }
            vehicle.segments[index].stop = stop
        }
        return vehicle
    }
}
