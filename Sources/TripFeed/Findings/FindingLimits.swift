package import TripModel

/// The thresholds above which findings are reported; every value can be changed.
///
/// The defaults were tuned on recorded rides, so that healthy rides cause few findings.
package struct FindingLimits: Sendable, Equatable {
    /// The delay after which a vehicle is overdue.
    package var overdue = Duration.seconds(30)
    /// The delay after which being overdue is a warning.
    package var longOverdue = Duration.seconds(120)
    /// The size of a sudden change of the ETA.
    package var arrivalJump = Duration.seconds(45)
    /// How long the ETA advances with the clock.
    package var arrivalSlide = Duration.seconds(40)
    /// The growth of the remaining distance on an unchanged route.
    package var distanceGrowth = Distance(meters: 100)
    /// The additional length of a new route.
    package var detour = Distance(meters: 500)
    /// The difference between the remaining distance and the length of a new route, as a fraction of the length.
    package var routeShare = 0.05
    /// Differences below this are ignored, because the fraction is insignificant on a short route.
    package var routeDifference = Distance(meters: 100)
    /// The distance between a planned stop and the actual place of pickup or drop-off.
    package var planDistance = Distance(meters: 150)
    /// A speed that is impossible for a car, in meters per second; the limit of Google's Fleet Debugger.
    package var speed = 68.0
    /// The time without a new position: three reports of a device that reports every 10 s.
    package var gap = Duration.seconds(30)
    /// The age of a position while the vehicle is en route, by the device's clock.
    package var measuredAge = Duration.seconds(60)
    /// How long a vehicle that is en route may be stationary.
    package var standstill = Duration.seconds(180)
    /// Movements below this are position noise of a stationary device.
    package var noise = Distance(meters: 10)
    /// The distance between a vehicle and its route, minus the accuracy of its position.
    package var offRoute = Distance(meters: 50)
    /// How far a device's clock is ahead.
    package var deviceClock = Duration.seconds(5)
    /// The delay between the measurement of a position and its receipt by the service.
    package var lateness = Duration.seconds(30)
    /// The difference between the service's clock and the local clock.
    package var clockOffset = Duration.seconds(5)

    /// The defaults.
    package init() {}
}
