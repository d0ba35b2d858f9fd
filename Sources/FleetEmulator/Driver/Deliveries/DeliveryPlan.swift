import FleetEngineProtos
import FleetWire
import Runtime
import SwiftProtobuf
package import TripModel

extension DriverScript {
    /// A task to create.
    package struct TaskPlan: Sendable, Equatable {
        package var id: TaskID
        package var kind = DeliveryTask.Kind.delivery
        /// The tracking ID of the shipment; only pickups and deliveries have one.
        package var trackingID: TrackingID?
        package var place: Coordinate
        /// The time that the task takes at its place, in seconds.
        package var duration = 0.0
        /// The promise to the recipient, in seconds from the start of the scenario.
        package var window: ClosedRange<Double>?
        /// What the recipient sees; `nil` for the default of the project.
        package var view: TrackingViewConfig?
        /// The outcome that the driver sets; `nil` for none.
        package var outcome: DeliveryTask.Outcome?
    }

    /// A stop of a delivery vehicle.
    package struct DeliveryStop: Sendable, Equatable {
        /// A task as its driver knows it.
        package struct Job: Sendable, Equatable {
            package var id: TaskID
            /// The time that it takes, in seconds.
            package var duration: Double
            /// The outcome that the driver sets; `nil` for none.
            package var outcome: DeliveryTask.Outcome?
            /// The shipment that it is about; `nil` if that is not known.
            package var shipment: TrackingID?
        }

        package var place: Coordinate
        /// The tasks in the order in which they are done.
        package var jobs: [Job]
        /// How far the vehicle is.
        package var state = VehicleStop.State.new

        /// The tasks.
        package var tasks: [TaskID] { jobs.map(\.id) }

        /// The stop in the format of the service.
        var message: DeliveryStopMessage {
            .with { stop in
                stop.plannedLocation = PlaceMessage(place)
                stop.state = state == .arrived ? .arrived : state == .enroute ? .enroute : .new
                stop.tasks = tasks.map { id in .with { $0.taskID = id.rawValue } }
            }
        }
    }

    /// A drive to a stop, and the tasks there.
    package struct DeliveryVisit: Sendable {
        /// The tasks of the stop.
        package var tasks: [TaskID]
        /// The path and its deviations.
        package var drive: Drive
    }
}

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
