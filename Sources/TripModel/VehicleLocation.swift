package import Foundation

/// A reported position of a vehicle.
package struct VehicleLocation: Sendable, Equatable {
    /// Where it is; snapped to the road or raw, see ``sensor``.
    package var coordinate: Coordinate?
    /// Degrees clockwise from north, 0 ..< 360.
    package var heading: Int?
    /// Metres per second; a little below zero when standing (seen in recordings).
    package var speed: Double?
    /// The radius within which the vehicle is, in metres.
    package var accuracy: Double?
    /// When the sensor took the fix, by the device's clock.
    package var updateTime: Date?
    /// When the service received it: the one to judge staleness by.
    package var serverTime: Date?
    /// What measured it, as the API names it, such as `GPS`.
    package var sensor: String?
    /// Whether the position was moved on to a road.
    package var isRoadSnapped: Bool?
    /// The fix before it was snapped.
    package var rawCoordinate: Coordinate?
    /// When that fix was taken.
    package var rawTime: Date?

    /// When the position was measured, by the device's clock: of the snapped fix where known, else of the raw one.
    package var measuredTime: Date? { updateTime ?? rawTime }

    /// A position of which nothing else is known yet.
    package init(coordinate: Coordinate?) {
        self.coordinate = coordinate
    }
}
