/// A delivery vehicle as returned by Fleet Engine.
package struct DeliveryVehicle: Sendable, Equatable {
    /// The ID.
    package var id: DeliveryVehicleID
    /// The project that owns it.
    package var provider: ProviderID
    /// The type, by its API name, such as `BICYCLE`; `nil` is the same as `AUTO`.
    package var type: String?
    /// The last known position.
    package var lastLocation: VehicleLocation?
    /// The navigation status, by its API name, such as `ENROUTE_TO_DESTINATION`.
    package var navigationStatus: String?
    /// The way to the next stop, from the driver's app; `nil` if it has sent none.
    package var currentRoute: ReportedRoute?
    /// The remaining stops in order.
    package var segments: [JourneySegment] = []
    /// The provider's attributes, at most 100.
    package var attributes: [Attribute] = []
    /// Earlier positions; reported by the driver's app, absent in the service's answers.
    package var pastLocations: [VehicleLocation] = []
    /// The elements that were omitted because of the limits of lists.
    package var omitted: [OmittedElements] = []
}

/// The way to the next stop as a driver's app reports it.
package struct ReportedRoute: Sendable, Equatable {
    /// The encoded path as sent.
    package var bytes: [UInt8]
    /// The end of the path.
    package var end: Coordinate?
    /// The distance to the next stop.
    package var remainingDistance: Distance?
    /// The time to the next stop.
    package var remainingDuration: Duration?
}

/// A stop and the way to it from the previous stop, for the first one from the vehicle.
package struct JourneySegment: Sendable, Equatable {
    /// The stop; `nil` in the answers about a task, which do not show the stops of others.
    package var stop: VehicleStop?
    /// The driving distance.
    package var distance: Distance?
    /// The driving time.
    package var duration: Duration?
    /// The path; empty if it is unknown.
    package var path: [Coordinate] = []
}

/// A place where a delivery vehicle stops for tasks.
package struct VehicleStop: Sendable, Equatable {
    /// How far the vehicle is.
    package enum State: Sendable, Hashable {
        /// The vehicle has not set out for it.
        case new
        /// The vehicle is driving to it.
        case enroute
        /// The vehicle is at the stop.
        case arrived
        /// An unknown or missing state, as spelled by the service.
        case unrecognized(String)

        /// Creates a state from its API name.
        package init(name: String) {
            switch name {
            case "NEW": self = .new
            case "ENROUTE": self = .enroute
            case "ARRIVED": self = .arrived
            default: self = .unrecognized(name.boundedName)
            }
        }

        /// The API name.
        package var name: String {
            switch self {
            case .new: "NEW"
            case .enroute: "ENROUTE"
            case .arrived: "ARRIVED"
            case .unrecognized(let name): name
            }
        }
    }

    /// A task that is served at a stop.
    package struct TaskInfo: Sendable, Equatable {
        /// The task.
        package var id: TaskID
        /// The time that it takes; set by the service.
        package var duration: Duration?
        /// Its promised time window; set by the service.
        package var targetTimeWindow: TimeWindow?
    }

    /// The place.
    package var plannedLocation: Coordinate?
    /// The tasks in order.
    package var tasks: [TaskInfo] = []
    /// How far the vehicle is.
    package var state: State
}
