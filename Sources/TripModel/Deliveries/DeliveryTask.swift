package import Foundation

/// A task of Fleet Engine's scheduled tasks: one action of a delivery vehicle at one place.
///
/// A task is assigned by naming it in a stop of a vehicle. Its outcome and its state are independent: an outcome does not close
/// a task, and a task can be closed without an outcome.
package struct DeliveryTask: Sendable, Equatable {
    /// The ID.
    package var id: TaskID
    /// The project that owns it.
    package var provider: ProviderID
    /// What happens.
    package var kind: Kind
    /// Whether it is still to be done.
    package var state: State
    /// The tracking ID of the shipment, for pickups and deliveries; several tasks may share one.
    package var trackingID: TrackingID?
    /// The vehicle to which it is or was assigned; set by the service.
    package var vehicleID: DeliveryVehicleID?
    /// The planned place; `nil` for a break without a place.
    package var plannedLocation: Coordinate?
    /// The time that the task takes at its place.
    package var duration: Duration?
    /// The result of the attempt; it can be set once.
    package var outcome: Outcome?
    /// When the outcome was set.
    package var outcomeTime: Date?
    /// Where the outcome was set.
    package var outcomeLocation: Coordinate?
    /// The origin of ``outcomeLocation``, by its API name: `PROVIDER` or `LAST_VEHICLE_LOCATION`.
    package var outcomeLocationSource: String?
    /// The time window that was promised to the customer; it does not influence the route.
    package var targetTimeWindow: TimeWindow?
    /// The visibility of values for the recipient.
    package var trackingView: TrackingViewConfig?
    /// The way of the vehicle to the task; `nil` unless the task is open and assigned.
    package var journey: TaskJourney?
    /// The provider's attributes.
    package var attributes: [Attribute] = []
    /// The elements that were omitted because of the limits of lists.
    package var omitted: [OmittedElements] = []
}

/// The way of a vehicle to one task.
package struct TaskJourney: Sendable, Equatable {
    /// The stops up to the stop of the task, including the stops of other tasks.
    package var segments: [JourneySegment]
    /// The last position of the vehicle.
    package var lastLocation: VehicleLocation?
    /// Whether the position may be snapped to the path.
    package var lastLocationSnappable = false
}

/// A time window; both ends belong to it.
package struct TimeWindow: Sendable, Hashable {
    /// The beginning.
    package var start: Date
    /// The end, not before the beginning.
    package var end: Date
}
