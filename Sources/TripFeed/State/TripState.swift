package import Foundation
package import TripModel

/// All that is known of a trip after any number of answers, and how old that is.
///
/// Pure: answers go in with the time at which they came. What an answer left out because it had not changed is kept, by its
/// version; what is no longer true is dropped (reference, section 2.1).
package struct TripState: Sendable, Equatable {
    /// A status and when it was first seen.
    package struct StatusChange: Sendable, Equatable {
        /// The status.
        package var status: TripStatus
        /// The service's time of the answer that brought it.
        package var seen: Date
    }

    /// The trip.
    package let id: TripID
    /// The trip as the answers tell of it together; `nil` before the first.
    package private(set) var trip: Trip?
    /// The statuses in the order in which they were seen; steps between two polls are missed.
    package internal(set) var statuses: [StatusChange] = []
    /// When the last answer came; `nil` before the first.
    package private(set) var lastAnswer: Moment?
    /// The service's clock less ours, by its `Date` header; it can be wrong by half a second, and small ones are no evidence.
    package private(set) var clockOffset: Duration = .zero
    /// What the last answer changed.
    package private(set) var changed: Set<TripField> = []
    /// Each estimate of the time of the drop-off, oldest first, at most ``maximumEstimates``.
    package internal(set) var dropoffEstimates: [Arrival] = []
    /// Each estimate of the time of the pickup, oldest first, at most ``maximumEstimates``.
    package internal(set) var pickupEstimates: [Arrival] = []
    /// The first estimate for each own stop between pickup and drop-off, by its place.
    var stopPromises: [Coordinate: Arrival] = [:]
    /// The places of the vehicle, oldest first, at most so many as the state was made for.
    package internal(set) var trail: [VehicleLocation] = []
    /// Answers that were older than what was known already and so did not count.
    package private(set) var outdatedAnswers = 0

    static let maximumEstimates = 500
    /// Changes of status that are kept: a trip that goes to and fro for hours takes no more.
    static let mostStatuses = 200
    /// The most places that are kept of one trip.
    package static let longestTrail = 2000
    /// A difference that the whole seconds of a `Date` header and the way of the answer explain.
    static let negligibleOffset = Duration.seconds(2)

    private var lastServerDate: Date?
    let trailLength: Int

    /// A trip of which nothing is known yet; a program that follows thousands keeps shorter trails.
    package init(id: TripID, trailLength: Int = TripState.longestTrail) {
        self.id = id
        self.trailLength = trailLength
    }

    /// Takes in an answer.
    ///
    /// - Parameters:
    ///   - answer: What came, with the unchanged parts left out.
    ///   - serverDate: The service's time of the answer, where it said so.
    ///   - sent: When it was asked for; the service's time lies between that and now.
    ///   - now: When it came, by our clock.
    package mutating func merge(_ answer: Trip, serverDate: Date?, sent: Moment? = nil, at now: Moment) {
        lastAnswer = now
        let isBefore =
            serverDate.flatMap { date in lastServerDate.map { date < $0 - Self.negligibleOffset.seconds } } ?? false
        if let trip, Self.isOutdated(answer, after: trip, isDatedBefore: isBefore) {
            outdatedAnswers += 1
            changed = []
            return
        }
        if let serverDate {
            lastServerDate = serverDate
            let latest = now.wall.addingTimeInterval(Self.negligibleOffset.seconds)
            let earliest = (sent?.wall ?? now.wall).addingTimeInterval(-Self.negligibleOffset.seconds)
            let isExplained = serverDate >= min(earliest, latest) && serverDate <= latest
            clockOffset = isExplained ? .zero : .seconds(serverDate.timeIntervalSince(now.wall))
        }
        let merged = Self.merged(answer.withFirstWaypointsWay, over: trip)
        changed = Self.differences(from: trip, to: merged)
        trip = merged
        record(merged, at: serviceTime(now))
    }

    /// The service's time at a moment of our clocks.
    ///
    /// Counted on from the last answer by the steady clock: somebody may set the other one meanwhile.
    package func serviceTime(_ now: Moment) -> Date {
        guard let lastAnswer else { return now.wall }
        return lastAnswer.wall.addingTimeInterval((clockOffset + now.steady - lastAnswer.steady).seconds)
    }

    /// Adds what earlier answers changed that nobody has read.
    mutating func addChanges(of earlier: TripState) { changed.formUnion(earlier.changed) }

    /// What to ask for next: all but what is known already.
    package var versions: (route: Version?, traffic: Version?, waypointsRoute: Version?) {
        guard let trip, !trip.status.isTerminal else { return (nil, nil, nil) }
        return (
            trip.route == nil ? nil : trip.routeVersion,
            trip.traffic == nil ? nil : trip.trafficVersion,
            trip.remainingWaypoints.contains { $0.path != nil } ? trip.remainingWaypointsRouteVersion : nil
        )
    }

    // MARK: Ages

    /// How long ago the service received the vehicle's position; `nil` where there is none.
    package func receivedAge(at now: Moment) -> Duration? {
        age(trip?.lastLocation?.serverTime, at: now)
    }

    /// How long ago the vehicle's position was measured, by the device's clock; `nil` where that is not known.
    package func measuredAge(at now: Moment) -> Duration? {
        age(trip?.lastLocation?.measuredTime, at: now)
    }

    /// How long ago the last answer came.
    package func answerAge(at now: Moment) -> Duration? {
        lastAnswer.map { now.steady - $0.steady }
    }

    private func age(_ time: Date?, at now: Moment) -> Duration? {
        time.map { .seconds(serviceTime(now).timeIntervalSince($0)) }
    }

    // MARK: Waypoints

    /// The remaining waypoints of other riders that come before this trip's next own one.
    package var foreignWaypointsAhead: Int {
        trip?.remainingWaypoints.prefix { $0.tripID != nil && $0.tripID != id }.count ?? 0
    }

    /// Where the vehicle goes next for this trip, and when it is expected there; `nil` where that is not known or over.
    ///
    /// Before the pickup that is the pickup, later the stop or the drop-off. A time that is only known for another rider's
    /// waypoint is not taken for this trip's.
    package var nextOwnArrival: (kind: Waypoint.Kind, arrival: Arrival?)? {
        guard let trip, !trip.status.isTerminal else { return nil }
        let own = trip.remainingWaypoints.first { $0.tripID == nil || $0.tripID == id }
        let kind = own?.kind ?? Self.nextKind(of: trip.status)
        guard let kind else { return nil }
        let isFirst = foreignWaypointsAhead == 0
        let fallback: Date? =
            switch kind {
            case .pickup: trip.pickupTime
            case .dropoff: trip.dropoffTime
            case .intermediateDestination, .unrecognized: nil
            }
        let time = (isFirst ? trip.etaToFirstWaypoint : nil) ?? own?.eta ?? fallback
        let estimates =
            switch kind {
            case .pickup: pickupEstimates
            case .dropoff: dropoffEstimates
            case .intermediateDestination, .unrecognized: [Arrival]()
            }
        guard let time else { return (kind, nil) }
        let learnt = estimates.last { $0.time == time }?.learnt ?? lastAnswer?.wall ?? time
        return (kind, Arrival(time: time, learnt: learnt))
    }

    private static func nextKind(of status: TripStatus) -> Waypoint.Kind? {
        switch status {
        case .new, .enrouteToPickup, .arrivedAtPickup: .pickup
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination: .intermediateDestination
        case .enrouteToDropoff: .dropoff
        case .complete, .canceled, .unrecognized: nil
        }
    }
}
