import Runtime
package import TripModel

extension DriverScript {
    /// Creates the script of a delivery vehicle that visits its remaining stops in their order.
    ///
    /// It is `nil` if there is no stop, or a stop without a place. It follows the routes of the service. Where the service has no
    /// route, it follows the streets of the demo town or a straight line.
    ///
    /// - Parameters:
    ///   - known: The vehicle as the service knows it.
    ///   - failing: The tasks that get the outcome FAILED; all others get SUCCEEDED.
    ///   - pace: The factor of the expected speeds.
    package init?(visitingStopsOf known: DeliveryVehicle, failing: Set<TaskID>, pace: Double) {
        self.init(.ofDeliveries(known.id))
        start = known.lastLocation.flatMap { $0.coordinate ?? $0.rawCoordinate }
        var here = start
        for segment in known.segments {
            guard let known = segment.stop, let place = known.plannedLocation else { return nil }
            let jobs = known.tasks.map { task in
                DeliveryStop.Job(
                    id: task.id,
                    duration: (task.duration ?? .zero).seconds,
                    outcome: failing.contains(task.id) ? .failed : .succeeded
                )
            }
            var stop = DeliveryStop(place: place, jobs: jobs)
            if stops.isEmpty { stop.state = known.state }
            let leg = RidePlan.Leg(Self.way(segment, from: here, to: place), slow: nil, pace: pace, redLightAt: nil)
            stops.append(stop)
            steps.append(.visit(DeliveryVisit(tasks: stop.tasks, drive: Drive(leg: leg, target: .delivery(place)))))
            here = place
        }
        if steps.isEmpty { return nil }
    }

    private static func way(_ segment: JourneySegment, from here: Coordinate?, to place: Coordinate) -> StreetPath {
        guard let here, here != place else { return StreetPath([place]) }
        guard segment.path.count > 1, let distance = segment.distance, let duration = segment.duration,
            distance.meters > 0, duration > .zero
        else { return Town.demo.way(through: [here, place]) }
        return StreetPath(segment.path, speed: distance.meters / duration.seconds)
    }
}
