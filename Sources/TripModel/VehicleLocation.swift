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
    /// The radius of that fix, in metres.
    package var rawAccuracy: Double?
    /// What measured it.
    package var rawSensor: String?
    /// How far the heading may be off, in degrees.
    package var headingAccuracy: Double?
    /// How far the speed may be off, in metres per second.
    package var speedAccuracy: Double?
    /// Metres above WGS84.
    package var altitude: Double?
    /// How far that may be off, in metres.
    package var altitudeAccuracy: Double?
    /// A position that the integrating app gave besides its own.
    package var supplemental: Fix?
    /// Android's fused position.
    package var fused: Fix?

    /// A further position of one report.
    package struct Fix: Sendable, Equatable {
        /// Where.
        package var coordinate: Coordinate
        /// When.
        package var time: Date?
        /// The radius, in metres.
        package var accuracy: Double?
        /// What measured it, as the API names it.
        package var sensor: String?
        /// Degrees clockwise from north, 0 ..< 360.
        package var heading: Int?

        /// A place of which nothing else is known yet.
        package init(coordinate: Coordinate) {
            self.coordinate = coordinate
        }
    }

    /// When the position was measured, by the device's clock: of the snapped fix where known, else of the raw one.
    package var measuredTime: Date? { updateTime ?? rawTime }

    /// A position of which nothing else is known yet.
    package init(coordinate: Coordinate?) {
        self.coordinate = coordinate
    }
}
