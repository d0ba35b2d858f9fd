package import Foundation

/// A reported position of a vehicle.
package struct VehicleLocation: Sendable, Equatable {
    /// The coordinate, snapped to the road or raw; see ``sensor``.
    package var coordinate: Coordinate?
    /// Degrees clockwise from north, 0 ..< 360.
    package var heading: Int?
    /// Meters per second; may be slightly negative when the vehicle is stationary (seen in recordings).
    package var speed: Double?
    /// The radius of the accuracy circle in meters.
    package var accuracy: Double?
    /// When the sensor measured the position, by the device's clock.
    package var updateTime: Date?
    /// When the service received it; use this to detect stale positions.
    package var serverTime: Date?
    /// The sensor, by its API name, such as `GPS`.
    package var sensor: String?
    /// Whether the position was snapped to a road.
    package var isRoadSnapped: Bool?
    /// The position before snapping.
    package var rawCoordinate: Coordinate?
    /// When the raw position was measured.
    package var rawTime: Date?
    /// The radius of the raw position's accuracy circle in meters.
    package var rawAccuracy: Double?
    /// The sensor of the raw position.
    package var rawSensor: String?
    /// The accuracy of the heading in degrees.
    package var headingAccuracy: Double?
    /// The accuracy of the speed in meters per second.
    package var speedAccuracy: Double?
    /// Meters above the WGS 84 ellipsoid.
    package var altitude: Double?
    /// The accuracy of the altitude in meters.
    package var altitudeAccuracy: Double?
    /// An additional position supplied by the app.
    package var supplemental: Fix?
    /// Android's fused position.
    package var fused: Fix?

    /// An additional position of a report.
    package struct Fix: Sendable, Equatable {
        /// The coordinate.
        package var coordinate: Coordinate
        /// The time of the measurement.
        package var time: Date?
        /// The radius of the accuracy circle in meters.
        package var accuracy: Double?
        /// The sensor, by its API name.
        package var sensor: String?
        /// Degrees clockwise from north, 0 ..< 360.
        package var heading: Int?
    }

    /// When the position was measured, by the device's clock: of the snapped position if known, else of the raw one.
    package var measuredTime: Date? { updateTime ?? rawTime }
}
