import Foundation
import TripModel

/// The rules about times of arrival and distances left.
extension AnswerStep {
    var arrivalCandidates: [FindingCandidate] {
        [
            overdue, arrivalJumped, arrivalAfterEnd, wayGrew, distanceDiffersFromRoute, pickupTimeMoves,
            dropoffBeforePickup,
        ].compactMap(\.self) + farFromPlan
    }

    /// The time is not computed anew for each answer: without news of the driver it passes (reference, section 1.1).
    private var overdue: FindingCandidate? {
        guard isUnderWay || trip.status == .new, let arrival = trip.firstArrival else { return nil }
        let late = time.timeIntervalSince(arrival)
        guard late > limits.overdue.seconds else { return nil }
        return .lasting(
            .overdue,
            late > limits.longOverdue.seconds ? .warning : .info,
            Evidence("late", .seconds(late)),
            Evidence("arrival", .time(arrival))
        )
    }

    private var arrivalJumped: FindingCandidate? {
        guard let old = comparable, let was = old.firstArrival, let now = trip.firstArrival,
            old.routeVersion == trip.routeVersion
        else { return nil }
        let shift = now.timeIntervalSince(was)
        // A vehicle that stands moves its arrival with the clock, which is another rule's matter.
        guard abs(shift) > max(limits.arrivalJump.seconds, elapsed * 1.5) else { return nil }
        return .event(
            .arrivalJumped,
            .warning,
            Evidence("shift", .seconds(shift)),
            Evidence("within", .seconds(elapsed)),
            Evidence("arrival", .time(now))
        )
    }

    private var arrivalAfterEnd: FindingCandidate? {
        guard trip.status.isTerminal, let arrival = answer.firstArrival else { return nil }
        return .lasting(
            .arrivalAfterEnd,
            .warning,
            Evidence("status", .text(trip.status.name)),
            Evidence("arrival", .time(arrival))
        )
    }

    /// A longer way: on the same route an error of the numbers, on another one a detour.
    private var wayGrew: FindingCandidate? {
        guard let old = comparable, let was = old.firstDistance?.meters, let now = trip.firstDistance?.meters else {
            return nil
        }
        let growth = now - was
        if old.routeVersion == trip.routeVersion {
            guard growth > limits.distanceGrowth.meters else { return nil }
            return .event(.distanceGrew, .warning, Evidence("from", .meters(was)), Evidence("to", .meters(now)))
        }
        let times = (old.firstArrival, trip.firstArrival)
        let shift = times.0.flatMap { before in times.1.map { $0.timeIntervalSince(before) } } ?? 0
        guard growth > limits.detour.meters || shift > max(limits.arrivalJump.seconds, elapsed * 1.5) else {
            return nil
        }
        return .event(
            .rerouted,
            .warning,
            Evidence("from", .meters(was)),
            Evidence("to", .meters(now)),
            Evidence("shift", .seconds(shift))
        )
    }

    /// Looked at when the route is new, since the vehicle's way along it is best known then.
    private var distanceDiffersFromRoute: FindingCandidate? {
        guard let old, old.routeVersion != trip.routeVersion, let route = trip.route, !trip.status.isTerminal,
            let place = trip.lastLocation?.coordinate, let here = route.nearest(to: place),
            let told = trip.firstDistance?.meters
        else { return nil }
        let left = route.length.meters - here.offset
        let difference = abs(left - told)
        guard difference > max(limits.routeDifference.meters, left * limits.routeShare) else { return nil }
        return .event(
            .distanceDiffersFromRoute,
            .warning,
            Evidence("told", .meters(told)),
            Evidence("route", .meters(left))
        )
    }

    private var pickupTimeMoves: FindingCandidate? {
        guard let old, old.actualPickup != nil, trip.actualPickup != nil, let was = old.pickupTime,
            let now = trip.pickupTime
        else { return nil }
        let shift = now.timeIntervalSince(was)
        guard abs(shift) > 1 else { return nil }
        return .event(.pickupTimeMoves, .warning, Evidence("shift", .seconds(shift)))
    }

    private var dropoffBeforePickup: FindingCandidate? {
        guard let pickup = trip.pickupTime, let dropoff = trip.dropoffTime, dropoff < pickup else { return nil }
        return .lasting(.dropoffBeforePickup, .error, Evidence("before", .seconds(pickup.timeIntervalSince(dropoff))))
    }

    private var farFromPlan: [FindingCandidate] {
        let points: [(String, StopLocation?, StopLocation?, Coordinate?)] = [
            ("pickup", old?.actualPickup, trip.actualPickup, trip.pickup),
            ("dropoff", old?.actualDropoff, trip.actualDropoff, trip.dropoff),
        ]
        return points.compactMap { name, known, actual, planned in
            guard known == nil, let actual, let planned else { return nil }
            let distance = actual.coordinate.distance(to: planned)
            guard distance > limits.planDistance else { return nil }
            return .event(
                .farFromPlan,
                .warning,
                Evidence("place", .text(name)),
                Evidence("distance", .meters(distance.meters))
            )
        }
    }
}
