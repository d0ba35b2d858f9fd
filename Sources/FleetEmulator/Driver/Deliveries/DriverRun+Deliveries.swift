import TripModel

/// The steps of a delivery vehicle.
extension DriverRun {
    /// The time from the outcome of the last task of a stop to the departure: the way back to the vehicle, in seconds.
    private static let wayBack = 20.0

    func createTask(_ task: DriverScript.TaskPlan) async throws(DriverError) {
        try await deliveries.create(task, from: began)
    }

    /// Sets the remaining stops as the backend does; a vehicle on its way to the first of them stays so.
    mutating func assign(_ new: [DriverScript.DeliveryStop]) async throws(DriverError) {
        var new = new
        if let first = new.first, let present = stops.first, first.tasks == present.tasks {
            new[0].state = present.state
        }
        try await deliveries.setStops(new, by: .backend(.deliveries))
        stops = new
    }

    /// Drives to a stop, does its tasks and removes it; a stop that the vehicle does not have any more is skipped.
    mutating func perform(_ visit: DriverScript.DeliveryVisit) async throws(DriverError) {
        guard let index = stops.firstIndex(where: { $0.tasks == visit.tasks }) else { return }
        stops.removeFirst(index)
        try await setState(.enroute)
        try await sendRoute(of: visit.drive)
        guard try await follow(visit.drive) else { return }
        try await setState(.arrived)
        try await doJobs(stops[0].jobs)
        // The call that removes the stop is about its shipments, too.
        let calls = deliveries
        stops.removeFirst()
        try await calls.setStops(stops, by: .driver)
    }

    private mutating func setState(_ state: VehicleStop.State) async throws(DriverError) {
        stops[0].state = state
        try await deliveries.setStops(stops, by: .driver)
        onEvent(.stop(stops[0].tasks, state))
    }

    /// Does the tasks of a stop one after the other.
    private mutating func doJobs(_ jobs: [DriverScript.DeliveryStop.Job]) async throws(DriverError) {
        for (number, job) in jobs.enumerated() {
            let isLast = number == jobs.count - 1
            let back = isLast && job.outcome != nil ? min(Self.wayBack, job.duration / 2) : 0
            try await stand(for: job.duration - back)
            if let outcome = job.outcome {
                let calls = DeliveryCalls(client: client, shipments: Set(job.shipment.map { [.shipment($0)] } ?? []))
                try await calls.setOutcome(outcome, of: job.id)
                onEvent(.outcome(job.id, outcome))
            }
            try await stand(for: back)
        }
    }
}
