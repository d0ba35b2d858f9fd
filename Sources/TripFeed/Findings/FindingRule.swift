/// What is looked for in the answers, polls and tokens of a trip (reference `features.md`, section F2).
package enum FindingRule: String, Sendable, Hashable, CaseIterable {
    // Statuses and what belongs to them.

    /// A status came back that had been passed.
    case statusWentBack
    /// Something changed after COMPLETE or CANCELED.
    case changedAfterEnd
    /// A status was left out on the way; may have been shorter than the interval.
    case statusSkipped
    /// The drop-off is driven to although not every stop was.
    case stopsSkipped
    /// A trip on its way has no vehicle.
    case vehicleMissing
    /// The answer has no status.
    case statusMissing
    /// A trip on its way has had no position, no route or no time of arrival for a while.
    case trackingMissing
    /// A trip on its way has no waypoints left.
    case waypointsMissing
    /// The vehicle serves another trip first.
    case otherTripFirst
    /// A status, a type or a field that this program does not know.
    case unknownValue
    /// The answer's name has another provider than was asked for.
    case providerDiffers
    /// A list of the answer has more elements than are decoded.
    case listsTooLong

    // Arrivals and distances.

    /// The vehicle should have arrived already.
    case overdue
    /// The time of arrival moved at once, without a new status or route.
    case arrivalJumped
    /// The time of arrival moves on as fast as the clock: the vehicle gets no nearer.
    case arrivalSlides
    /// There is a time of arrival although the trip has ended.
    case arrivalAfterEnd
    /// The way left grew along the same route.
    case distanceGrew
    /// The route was replaced by one that is longer or takes longer.
    case rerouted
    /// The distance left differs from the length of the route.
    case distanceDiffersFromRoute
    /// The rider is aboard, and the time of the pickup still moves.
    case pickupTimeMoves
    /// The drop-off comes before the pickup.
    case dropoffBeforePickup
    /// The rider got on or off far from the place that was asked for.
    case farFromPlan

    // Positions.

    /// Two positions are further apart than any car can drive in the time between.
    case impossibleSpeed
    /// No new position came for a while.
    case positionGap
    /// The position is old although the vehicle is under way.
    case positionStale
    /// The vehicle has not moved for a while although it is under way.
    case standsStill
    /// The vehicle is away from its route.
    case offRoute
    /// The device measured the position in the future.
    case deviceClockAhead
    /// The position came long after it had been measured.
    case positionLate

    // Polls and clocks.

    /// An answer was older than one before it.
    case answerOutdated
    /// Two requests of one trip were under way at once.
    case pollsOverlap
    /// A failure was followed by another try at once.
    case noBackOff
    /// The service's clock and ours differ.
    case clocksDiffer

    // Tokens.

    /// The service refuses the trip or the token: 401 or 403.
    case serviceRefuses
    /// The token that came can't be used.
    case tokenUnusable
    /// The token is for another trip or vehicle.
    case tokenForAnother
    /// The token lives shorter than two polls take.
    case tokenTooShortLived
    /// Tokens are fetched more often than their lives explain.
    case tokenRefetched
}
