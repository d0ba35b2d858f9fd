package import Failures
import FleetWire
package import Foundation
package import Runtime
package import TripModel

/// The accumulated knowledge about a trip, and its age.
///
/// Without side effects: answers are merged with their time of arrival. A part that an answer omits because its version is
/// unchanged is retained. A part that is no longer valid is removed.
package struct TripState: Sendable, Equatable {
    /// A status and the time of its first appearance.
    package struct StatusChange: Sendable, Equatable {
        /// The status.
        package var status: JourneyStatus
        /// When the first answer showed it, and what is known of its beginning.
        package var observation: TripMilestones.Milestone
        /// The service's time of the answer that contained it.
        package var seen: Date { observation.time }
    }

    /// The trip.
    package let id: JourneyID
    /// The merged trip or shipment; `nil` before the first answer.
    package private(set) var journey: Journey?
    /// The statuses in order of appearance; statuses between two polls are missed.
    package internal(set) var statuses: [StatusChange] = []
    /// When the last answer arrived; `nil` before the first.
    package private(set) var lastAnswer: Moment?
    /// Whether ``clockOffset`` comes from an injected fault that changes the times of answers; it fits in the padding here.
    package private(set) var isClockInjected = false
    /// How long before ``arrivalTime`` the service created the last answer, in seconds; 0 if it was fast.
    ///
    /// It fits in the padding, too.
    private var travel: Float = 0
    /// The service's clock minus the local clock, from the `Date` header.
    ///
    /// The error is up to 0.5 s, so small offsets are not significant.
    package private(set) var clockOffset: Duration = .zero
    /// The headers of the cache that sent the last answer; `nil` if it is not known to come from a cache.
    package private(set) var cache: CacheEvidence?
    /// The fields that the last answer changed.
    package private(set) var changed: Set<TripField> = []
    /// The estimates of the drop-off time, oldest first, at most ``maximumEstimates``.
    package internal(set) var dropoffEstimates: SharedArray<Arrival> = []
    /// The estimates of the pickup time, oldest first, at most ``maximumEstimates``.
    package internal(set) var pickupEstimates: SharedArray<Arrival> = []
    /// When the parts of the trip happened.
    package internal(set) var milestones = TripMilestones()
    /// The first estimate for each own stop between pickup and drop-off, by its place.
    var stopPromises: [Coordinate: Arrival] = [:]
    /// The positions of the vehicle, oldest first, up to the trail length.
    package internal(set) var trail: SharedArray<VehicleLocation> = []
    /// The number of answers that were ignored because they were outdated.
    package private(set) var outdatedAnswers = 0

    static let maximumEstimates = 500
    /// The maximum number of stored status changes, which bounds the memory of a trip that alternates for hours.
    static let mostStatuses = 200
    /// The maximum number of stored positions per trip.
    package static let longestTrail = 2000
    /// An offset that the whole seconds of the `Date` header and the network latency can explain.
    static let negligibleOffset = Duration.seconds(2)

    /// When the service created the last answer, by its own clock.
    private var lastServerDate: Date?
    /// The service's time at which the last answer that was not outdated arrived, or left the service for a cache; `nil` before
    /// the first.
    private var arrivalTime: Date?
    /// The service's time of what ``journey`` shows: when it created the last answer that was not outdated; `nil` before the first.
    ///
    /// What a slow answer does not show may have happened on its way.
    package var answerTime: Date? { arrivalTime.map { $0 - Double(travel) } }
    let trailLength: Int

    /// Creates an empty state; use a shorter trail to follow thousands of trips.
    package init(id: JourneyID, trailLength: Int = TripState.longestTrail) {
        self.id = id
        self.trailLength = trailLength
    }

    /// Merges an answer.
    ///
    /// - Parameters:
    ///   - answer: The answer, with unchanged parts omitted.
    ///   - serverDate: The service's time when the answer was sent, if known.
    ///   - cacheAge: The time that the answer spent in caches: the service created it so long before `serverDate`.
    ///   - cache: The headers of the cache that sent the answer, whose time says nothing about the service's clock.
    ///   - sent: When the request was sent; the service's time is between this and `now`.
    ///   - now: When the answer arrived, by the local clock.
    package mutating func merge(
        _ answer: Journey,
        serverDate: Date?,
        cacheAge: Duration = .zero,
        cache: CacheEvidence? = nil,
        sent: Moment? = nil,
        at now: Moment
    ) {
        let time = serviceTime(now)
        lastAnswer = now
        self.cache = cache
        let created = serverDate.map { $0 - cacheAge.seconds }
        let isBefore =
            created.flatMap { date in lastServerDate.map { date < $0 - Self.negligibleOffset.seconds } } ?? false
        if let journey, Self.isOutdated(answer, after: journey, isDatedBefore: isBefore) {
            outdatedAnswers += 1
            changed = []
            // The local clock may have been set since the previous answer, which showed the service's time.
            let set = time.timeIntervalSince(serviceTime(now))
            if abs(set) > Self.negligibleOffset.seconds { clockOffset += .seconds(set) }
            return
        }
        if let serverDate {
            // Answers with the true time are not older than one with a time of a fault.
            if !isClockInjected { lastServerDate = created }
            if cache == nil {
                // The wall clock may have been set during the request.
                let duration = sent.map { (now.steady - $0.steady).seconds } ?? 0
                let agrees = Self.agrees(serverDate, sent: now.wall - duration, received: now.wall)
                clockOffset = agrees ? .zero : .seconds(serverDate.timeIntervalSince(now.wall))
            }
        }
        let merged = Self.merged(answer, over: journey)
        changed = TripFieldRow.changes(from: journey, to: merged)
        journey = merged
        let arrived = serviceTime(now) - cacheAge.seconds
        let previous = arrivalTime
        let shown = cache == nil ? arrived : min(arrived, created ?? arrived)
        arrivalTime = shown
        // The header has whole seconds, so the arrival of a fast answer is more exact.
        let way = created.map { shown.timeIntervalSince($0) } ?? 0
        travel = way > Self.negligibleOffset.seconds ? Float(way) : 0
        record(merged, at: shown, after: previous)
    }

    /// Returns whether the local clock explains the service's time of an answer that was requested and received at these times.
    static func agrees(_ serverDate: Date, sent: Date, received: Date) -> Bool {
        let latest = received + negligibleOffset.seconds
        let earliest = min(sent - negligibleOffset.seconds, latest)
        return serverDate >= earliest && serverDate <= latest
    }

    /// Merges the answer of a poll.
    package mutating func merge(_ answer: Journey, of report: PollReport) {
        isClockInjected = report.fault?.changesClock ?? false
        merge(
            answer,
            serverDate: report.serverDate,
            cacheAge: report.cacheAge,
            cache: report.cache,
            sent: report.started,
            at: report.finished
        )
    }

    /// Returns the service's time at a moment of the local clocks.
    ///
    /// It extrapolates from the last answer with the steady clock, because the wall clock may be set meanwhile.
    package func serviceTime(_ now: Moment) -> Date {
        guard let lastAnswer else { return now.wall }
        return lastAnswer.wall.addingTimeInterval((clockOffset + now.steady - lastAnswer.steady).seconds)
    }

    /// Adds the changes of earlier answers that were not read.
    mutating func addChanges(of earlier: TripState) { changed.formUnion(earlier.changed) }

    /// The versions for the next request, so that known parts are omitted.
    package var versions: (route: Version?, traffic: Version?, waypointsRoute: Version?) {
        guard case .trip(let trip)? = journey, !trip.status.isTerminal else { return (nil, nil, nil) }
        return (
            trip.route == nil ? nil : trip.routeVersion,
            trip.traffic == nil ? nil : trip.trafficVersion,
            trip.remainingWaypoints.contains { $0.path != nil } ? trip.remainingWaypointsRouteVersion : nil
        )
    }

    // MARK: Ages

    /// Returns the time since the service received the vehicle's position; `nil` without a position.
    package func receivedAge(at now: Moment) -> Duration? {
        age(journey?.lastLocation?.serverTime, at: now)
    }

    /// Returns the time since the vehicle's position was measured, by the device's clock; `nil` if unknown.
    package func measuredAge(at now: Moment) -> Duration? {
        age(journey?.lastLocation?.measuredTime, at: now)
    }

    /// Returns the time since the last answer.
    package func answerAge(at now: Moment) -> Duration? {
        lastAnswer.map { now.steady - $0.steady }
    }

    private func age(_ time: Date?, at now: Moment) -> Duration? {
        time.map { .seconds(serviceTime(now).timeIntervalSince($0)) }
    }

    // MARK: Waypoints

    /// The number of other riders' waypoints before this trip's next own one.
    package var foreignWaypointsAhead: Int {
        journey?.remainingWaypoints.prefix { !$0.belongs(to: id.trip) }.count ?? 0
    }

    /// The vehicle's next own stop for this trip and its ETA; `nil` if unknown or past.
    ///
    /// Before the pickup this is the pickup, later a stop or the drop-off. An ETA at another rider's waypoint is never used for
    /// this trip.
    package var nextOwnArrival: (kind: Waypoint.Kind, arrival: Arrival?)? {
        guard let journey, !journey.status.isTerminal else { return nil }
        let own = journey.remainingWaypoints.first { $0.belongs(to: id.trip) }
        let kind = own?.kind ?? Self.nextKind(of: journey.status)
        guard let kind else { return nil }
        let isFirst = foreignWaypointsAhead == 0
        let fallback: Date? =
            switch kind {
            case .pickup: journey.pickupTime
            case .dropoff: journey.dropoffTime
            case .intermediateDestination, .unrecognized: nil
            }
        let time = (isFirst ? journey.etaToFirstWaypoint : nil) ?? own?.eta ?? fallback
        let estimates =
            switch kind {
            case .pickup: pickupEstimates
            case .dropoff: dropoffEstimates
            case .intermediateDestination, .unrecognized: SharedArray<Arrival>()
            }
        guard let time else { return (kind, nil) }
        let receivedAt = estimates.last { $0.time == time }?.receivedAt ?? lastAnswer?.wall ?? time
        return (kind, Arrival(time: time, receivedAt: receivedAt))
    }

    private static func nextKind(of status: JourneyStatus) -> Waypoint.Kind? {
        switch status {
        case .trip(.new), .trip(.enrouteToPickup), .trip(.arrivedAtPickup): .pickup
        case .trip(.enrouteToIntermediateDestination), .trip(.arrivedAtIntermediateDestination):
            .intermediateDestination
        case .trip(.enrouteToDropoff), .shipment(.open): .dropoff
        case .trip(.complete), .trip(.canceled), .trip(.unrecognized), .shipment: nil
        }
    }
}
