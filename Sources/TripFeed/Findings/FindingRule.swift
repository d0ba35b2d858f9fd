/// The rules for answers, polls and tokens of a trip.
package enum FindingRule: String, Sendable, Hashable, CaseIterable {
    // Statuses and related fields.

    /// The status returned to an earlier one.
    case statusWentBack
    /// A field changed after COMPLETE or CANCELED.
    case changedAfterEnd
    /// A status was skipped; it may have been shorter than the poll interval.
    case statusSkipped
    /// The vehicle drives to the drop-off although it has not visited every stop.
    case stopsSkipped
    /// A trip in progress has no vehicle.
    case vehicleMissing
    /// The answer has no status.
    case statusMissing
    /// A trip in progress has had no position, route or ETA for a while.
    case trackingMissing
    /// A trip in progress has no remaining waypoints.
    case waypointsMissing
    /// The vehicle serves another trip first.
    case otherTripFirst
    /// An unknown status, type or field.
    case unknownValue
    /// The provider in the answer differs from the requested one.
    case providerDiffers
    /// A list in the answer exceeds the decoding limit.
    case listsTooLong

    // Arrivals and distances.

    /// The vehicle should have arrived already.
    case overdue
    /// The ETA changed suddenly, without a new status or route.
    case arrivalJumped
    /// The ETA advances as fast as the clock: the vehicle gets no closer.
    case arrivalSlides
    /// There is an ETA although the trip has ended.
    case arrivalAfterEnd
    /// The remaining distance grew on an unchanged route.
    case distanceGrew
    /// A new route is longer or takes longer than the old one.
    case rerouted
    /// The remaining distance differs from the length of the route.
    case distanceDiffersFromRoute
    /// The pickup time changes although the rider is on board.
    case pickupTimeMoves
    /// The drop-off time is before the pickup time.
    case dropoffBeforePickup
    /// The actual pickup or drop-off is far from the requested place.
    case farFromPlan

    // Positions.

    /// The distance between two positions is impossible in the time between them.
    case impossibleSpeed
    /// No new position arrived for a while.
    case positionGap
    /// The position is old although the vehicle is en route.
    case positionStale
    /// The vehicle has not moved for a while although it is en route.
    case standsStill
    /// The vehicle is not on its route.
    case offRoute
    /// The device's timestamp of the position is in the future.
    case deviceClockAhead
    /// The position arrived long after its measurement.
    case positionLate

    // Polls and clocks.

    /// An answer is older than a previous one.
    case answerOutdated
    /// Two requests for one trip overlapped.
    case pollsOverlap
    /// A failure was retried without a delay.
    case noBackOff
    /// The service's clock differs from the local clock.
    case clocksDiffer

    // Tokens.

    /// The service refused the trip or the token: 401 or 403.
    case serviceRefuses
    /// The token is not usable.
    case tokenUnusable
    /// The token is for another trip or vehicle.
    case tokenForAnother
    /// The token's lifetime is shorter than two poll intervals.
    case tokenTooShortLived
    /// Tokens are fetched more often than their lifetimes require.
    case tokenRefetched
}
