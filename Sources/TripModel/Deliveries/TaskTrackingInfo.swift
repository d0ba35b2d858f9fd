package import Foundation

/// What the recipient of a shipment sees, as returned by GetTaskTrackingInfo.
///
/// The place, the state, the outcome, the time window and the attributes are always visible. The other values are absent until
/// the task is assigned to a vehicle and the rule of the sender shows them; an absent value says nothing about it.
package struct TaskTrackingInfo: Sendable, Equatable {
    /// The tracking ID.
    package var trackingID: TrackingID
    /// The project that owns the task.
    package var provider: ProviderID
    /// Whether the task is still to be done.
    package var state: DeliveryTask.State
    /// The place of the recipient.
    package var plannedLocation: Coordinate?
    /// The promise to the customer.
    package var targetTimeWindow: TimeWindow?
    /// The result of the attempt.
    package var outcome: DeliveryTask.Outcome?
    /// When the outcome was set.
    package var outcomeTime: Date?
    /// The provider's attributes of the task.
    package var attributes: [Attribute] = []

    /// The last position of the vehicle.
    package var vehicleLocation: VehicleLocation?
    /// The expected route of the vehicle to the stop; `nil` if it is hidden or unknown.
    package var route: Route?
    /// The number of stops left, including the stop of the task: 1 if it is the next stop.
    package var remainingStopCount: Int?
    /// The driving distance to the stop.
    package var remainingDistance: Distance?
    /// The ETA at the stop.
    package var estimatedArrival: Date?
    /// When the task is expected to be completed.
    package var estimatedCompletion: Date?

    /// Fields that the schema does not have.
    package var unknownFields: [UnknownField] = []
    /// Values that count as missing because they can't be read.
    package var unreadable: [UnknownField] = []
    /// The elements that were omitted because of the limits of lists.
    package var omitted: [OmittedElements] = []

    /// Creates the view of a task whose state alone is known.
    package init(trackingID: TrackingID, provider: ProviderID, state: DeliveryTask.State) {
        (self.trackingID, self.provider, self.state) = (trackingID, provider, state)
    }
}
