import Foundation
import Runtime
import TripModel

extension TripState {
    /// Returns whether an answer is older than the known state.
    ///
    /// It is if the trip had already ended, the vehicle's position is older, or the version of a part is older. An earlier
    /// `Date` alone is no proof, because a service's clock may be set back. It counts if the status would also go back or the
    /// position would disappear. With a later status, an answer is newer whatever its position, which is the vehicle's and may
    /// be a few seconds behind.
    static func isOutdated(_ answer: Journey, after journey: Journey, isDatedBefore: Bool) -> Bool {
        if journey.isOver, !answer.status.isTerminal { return true }
        if let was = journey.status.rank, let now = answer.status.rank, now > was { return false }
        if isDatedBefore {
            if let was = journey.status.rank, let now = answer.status.rank, now < was { return true }
            if journey.lastLocation != nil, answer.lastLocation == nil, !answer.status.isTerminal { return true }
            // No rank says that a shipment failed before: an earlier answer is not its next attempt.
            if journey.shipment?.state == .closed || journey.shipment?.outcome != nil, answer.status == .shipment(.open)
            {
                return true
            }
        }
        guard !answer.status.isTerminal, case (.trip(let trip), .trip(let answer)) = (journey, answer),
            trip.vehicleID == answer.vehicleID
        else { return false }
        if answer.hasOlderPosition(than: trip) { return true }
        if trip.hasOlderPosition(than: answer) { return false }
        let versions: [(Version?, Version?)] = [
            (trip.routeVersion, answer.routeVersion), (trip.trafficVersion, answer.trafficVersion),
            (trip.remainingWaypointsVersion, answer.remainingWaypointsVersion),
            (trip.remainingWaypointsRouteVersion, answer.remainingWaypointsRouteVersion),
        ]
        return versions.contains { known, came in
            guard let known, let came, known != came, let before = Timestamp.date(known.rawValue),
                let after = Timestamp.date(came.rawValue)
            else { return false }
            return after < before
        }
    }

    /// Returns an answer with the parts that it omits because their versions are known; one about a shipment is complete.
    static func merged(_ answer: Journey, over known: Journey?) -> Journey {
        guard case .trip(let trip) = answer else { return answer }
        return .trip(merged(trip.withFirstWaypointsWay, over: known?.trip))
    }

    private static func merged(_ answer: Trip, over known: Trip?) -> Trip {
        guard let known, !answer.status.isTerminal else { return answer }
        var merged = answer
        if answer.hasOlderPosition(than: known) { merged.lastLocation = known.lastLocation }
        if answer.route == nil, let version = answer.routeVersion, version == known.routeVersion {
            merged.route = known.route
        }
        if answer.traffic == nil, let version = answer.trafficVersion, version == known.trafficVersion {
            merged.traffic = known.traffic
        }
        if let version = answer.remainingWaypointsRouteVersion, version == known.remainingWaypointsRouteVersion {
            // Waypoints with the same trip, kind and place are matched in order, each once, so that no path is duplicated.
            var twins = Dictionary(grouping: known.remainingWaypoints.reversed(), by: WaypointKey.init)
            for index in merged.remainingWaypoints.indices where merged.remainingWaypoints[index].path == nil {
                let waypoint = merged.remainingWaypoints[index]
                let twin = twins[WaypointKey(waypoint)]?.popLast()
                merged.remainingWaypoints[index].path = twin?.path
                merged.remainingWaypoints[index].traffic = waypoint.traffic ?? twin?.traffic
            }
        }
        return merged
    }

    mutating func record(_ journey: Journey, at time: Date, after previous: Date?) {
        if statuses.last?.status != journey.status {
            let observation = TripMilestones.observation(at: time, after: previous)
            statuses.append(StatusChange(status: journey.status, observation: observation))
            if statuses.count > Self.mostStatuses { statuses.removeFirst() }
        }
        milestones.record(journey, at: time, after: previous)
        if !journey.status.isTerminal {
            Self.add(journey.pickupTime, receivedAt: time, to: &pickupEstimates)
            Self.add(journey.dropoffTime, receivedAt: time, to: &dropoffEstimates)
        }
        recordStops(of: journey, at: time)
        if let location = journey.lastLocation, location.coordinate != nil, location != trail.last,
            !journey.status.isTerminal
        {
            trail.append(location)
            if trail.count > trailLength { trail.removeFirst(trail.count - trailLength) }
        }
    }

    private static func add(_ time: Date?, receivedAt: Date, to estimates: inout SharedArray<Arrival>) {
        guard let time, estimates.last?.time != time else { return }
        estimates.append(Arrival(time: time, receivedAt: receivedAt))
        // The first one is the promise that later ones are compared with.
        if estimates.count > maximumEstimates { estimates.removeSubrange(1...(maximumEstimates / 4)) }
    }
}

/// Identifies a waypoint of a trip.
private struct WaypointKey: Hashable {
    let tripID: TripID?
    let kind: Waypoint.Kind
    let coordinate: Coordinate?

    init(_ waypoint: Waypoint) {
        (tripID, kind, coordinate) = (waypoint.tripID, waypoint.kind, waypoint.coordinate)
    }
}

extension Trip {
    /// Whether both have positions of the same vehicle, and this one is older.
    fileprivate func hasOlderPosition(than other: Trip) -> Bool {
        guard vehicleID == other.vehicleID, let time = lastLocation?.serverTime,
            let reference = other.lastLocation?.serverTime
        else { return false }
        return time < reference
    }

    /// Returns the trip with the first waypoint's path data copied to the trip's own fields.
    ///
    /// The view JOURNEY_SHARING_V1S has these values in the first waypoint only; the SDK view has them in the trip.
    var withFirstWaypointsWay: Trip {
        guard view == "JOURNEY_SHARING_V1S", let first = remainingWaypoints.first else { return self }
        var trip = self
        trip.etaToFirstWaypoint = etaToFirstWaypoint ?? first.eta
        trip.remainingDistance = remainingDistance ?? first.distance
        trip.remainingTime = remainingTime ?? first.duration
        if trip.route == nil, let path = first.path {
            trip.route = Route(path)
            trip.traffic = traffic ?? first.traffic
        }
        return trip
    }
}
