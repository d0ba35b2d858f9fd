package import TripModel

/// From where on something is a finding; every number can be set.
///
/// The defaults are those of reference `features.md`, section F2, tuned on recorded rides.
package struct FindingLimits: Sendable, Equatable {
    /// Past its time by this much, a vehicle is overdue.
    package var overdue = Duration.seconds(30)
    /// Past its time by this much, that is a warning.
    package var longOverdue = Duration.seconds(120)
    /// A shift of the arrival at once.
    package var arrivalJump = Duration.seconds(45)
    /// How long the arrival moves on with the clock.
    package var arrivalSlide = Duration.seconds(40)
    /// By how much the way left may grow along the same route.
    package var distanceGrowth = Distance(meters: 100)
    /// By how much a new route may be longer than the old one.
    package var detour = Distance(meters: 500)
    /// How far the distance left may be from the length of a new route, as a share of it.
    package var routeShare = 0.05
    /// Differences below this never count, as a share of a short way is little.
    package var routeDifference = Distance(meters: 100)
    /// How far from the requested place a rider may get on or off.
    package var planDistance = Distance(meters: 150)
    /// The speed that no car drives, in metres per second: what Google's Fleet Debugger takes.
    package var speed = 68.0
    /// How long no new position may come: three reports of a device that reports every ten seconds.
    package var gap = Duration.seconds(30)
    /// How old a position may be while the vehicle is under way, by the device's clock.
    package var measuredAge = Duration.seconds(60)
    /// How long a vehicle that is under way may stand.
    package var standstill = Duration.seconds(180)
    /// Moves below this are the noise of a standing device.
    package var noise = Distance(meters: 10)
    /// How far from its route a vehicle may be, the accuracy of its position not counted.
    package var offRoute = Distance(meters: 50)
    /// How far a device's clock may be ahead.
    package var deviceClock = Duration.seconds(5)
    /// How long a position may take from the device to the service.
    package var lateness = Duration.seconds(30)
    /// How far the service's clock and ours may differ.
    package var clockOffset = Duration.seconds(5)

    /// The defaults.
    package init() {}
}
