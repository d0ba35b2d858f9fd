/// When the recipient of a shipment sees which values; `nil` for the project's default.
package struct TrackingViewConfig: Sendable, Equatable {
    /// The condition under which a value is visible.
    package enum Visibility: Sendable, Hashable {
        /// Visible with at most this number of remaining stops, the own one included.
        case remainingStops(Int)
        /// Visible if the vehicle arrives within this time.
        case timeUntilArrival(Duration)
        /// Visible within this driving distance in meters.
        case remainingDistance(Int)
        /// Always visible while the task is assigned.
        case always
        /// Never visible.
        case never
    }

    /// The condition for the route.
    package var route: Visibility?
    /// The condition for the ETA.
    package var estimatedArrival: Visibility?
    /// The condition for the expected time of completion.
    package var estimatedCompletion: Visibility?
    /// The condition for the driving distance.
    package var remainingDistance: Visibility?
    /// The condition for the number of stops.
    package var remainingStopCount: Visibility?
    /// The condition for the position of the vehicle.
    package var vehicleLocation: Visibility?

    /// Creates a config with the defaults of the project.
    package init() {}
}
