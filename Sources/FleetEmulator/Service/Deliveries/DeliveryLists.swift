package import FleetWire

/// The parameters of ListTasks.
package struct TaskList: Sendable, Equatable {
    package var page = PageRequest()
    /// The filter; `nil` for all tasks.
    package var filter: TaskFilter?

    /// Creates a request for all tasks.
    package init() {}
}

/// The parameters of ListDeliveryVehicles.
package struct DeliveryVehicleList: Sendable, Equatable {
    package var page = PageRequest()
    /// The filter on attributes; `nil` for all vehicles.
    package var filter: AttributeFilter?
    /// The rectangle of the last positions.
    package var viewport: VehicleList.Viewport?

    /// Creates a request for all vehicles.
    package init() {}
}
