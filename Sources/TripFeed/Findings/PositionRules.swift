package import Foundation
package import TripModel

/// The rules for the vehicle's position.
extension AnswerStep {
    var positionCandidates: [FindingCandidate] {
        guard let position = trip.lastLocation, position.coordinate != nil, !trip.status.isTerminal else { return [] }
        return [
            impossibleSpeed(position), gap(position), stale(position), offRoute(position), deviceClockAhead(position),
            late(position),
        ].compactMap(\.self)
    }

    /// The previous position, if it belongs to the same vehicle.
    private var previous: VehicleLocation? { old?.vehicleID == trip.vehicleID ? old?.lastLocation : nil }

    /// Uses the device's time, because positions that were sent late would cause false jumps in the service's time.
    private func impossibleSpeed(_ position: VehicleLocation) -> FindingCandidate? {
        guard let previous, let from = previous.coordinate, let to = position.coordinate,
            let was = previous.measuredTime, let now = position.measuredTime
        else { return nil }
        let (meters, seconds) = (from.distance(to: to).meters, now.timeIntervalSince(was))
        guard seconds > 0, meters > limits.noise.meters, meters / seconds > limits.speed else { return nil }
        return .event(
            .impossibleSpeed,
            .error,
            Evidence("speed", .metersPerSecond(meters / seconds)),
            Evidence("distance", .meters(meters)),
            Evidence("within", .seconds(seconds))
        )
    }

    /// Reports only the certain gap: positions that were replaced between two polls are unknown.
    private func gap(_ position: VehicleLocation) -> FindingCandidate? {
        guard let before, let was = previous?.serverTime, let now = position.serverTime, now > was,
            let lastAnswer = before.lastAnswer
        else { return nil }
        let known = min(before.serviceTime(lastAnswer), now).timeIntervalSince(was)
        guard known > limits.gap.seconds else { return nil }
        return .event(.positionGap, .warning, Evidence("gap", .seconds(now.timeIntervalSince(was))))
    }

    private func stale(_ position: VehicleLocation) -> FindingCandidate? {
        guard isUnderWay, let measured = position.measuredTime ?? position.serverTime else { return nil }
        let age = time.timeIntervalSince(measured)
        guard age > limits.measuredAge.seconds else { return nil }
        return .lasting(.positionStale, .warning, Evidence("age", .seconds(age)))
    }

    private func offRoute(_ position: VehicleLocation) -> FindingCandidate? {
        guard isUnderWay, let place = position.coordinate, let route = trip.route, route.points.count > 1,
            let nearest = route.nearest(to: place)
        else { return nil }
        let distance = nearest.offRoute - max(0, position.accuracy ?? 0)
        guard distance > limits.offRoute.meters else { return nil }
        return .lasting(.offRoute, .warning, Evidence("distance", .meters(nearest.offRoute)))
    }

    private func deviceClockAhead(_ position: VehicleLocation) -> FindingCandidate? {
        guard let measured = position.measuredTime, let received = position.serverTime else { return nil }
        let ahead = measured.timeIntervalSince(received)
        guard ahead > limits.deviceClock.seconds else { return nil }
        return .lasting(.deviceClockAhead, .warning, Evidence("ahead", .seconds(ahead)))
    }

    private func late(_ position: VehicleLocation) -> FindingCandidate? {
        guard let measured = position.measuredTime, let received = position.serverTime else { return nil }
        let delay = received.timeIntervalSince(measured)
        guard delay > limits.lateness.seconds else { return nil }
        return .lasting(.positionLate, .warning, Evidence("delay", .seconds(delay)))
    }
}

extension Trip {
    /// The ETA at the first remaining waypoint, in either view of the answer.
    package var firstArrival: Date? { etaToFirstWaypoint ?? remainingWaypoints.first?.eta }

    /// The distance to the first remaining waypoint, in either view of the answer.
    package var firstDistance: Distance? { remainingDistance ?? remainingWaypoints.first?.distance }
}
