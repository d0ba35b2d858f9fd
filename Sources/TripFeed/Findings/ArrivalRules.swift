import Foundation
import TripModel

/// The rules for arrival times and remaining distances.
extension AnswerStep {
    var arrivalCandidates: [FindingCandidate] {
        [
            overdue, arrivalJumped, arrivalAfterEnd, wayGrew, distanceDiffersFromRoute, pickupTimeMoves,
            dropoffBeforePickup,
        ].compactMap(\.self) + farFromPlan
    }

    /// The vehicle is late.
    ///
    /// Fleet Engine updates the ETA only on a driver's report, so without reports the ETA passes.
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
        // If the vehicle is stationary, the ETA advances with the clock; ``FindingRule/arrivalSlides`` covers that case.
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

    /// The remaining distance grew: on the same route this is a data error, on a new route a detour.
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

    /// Checked only for a new route, when the vehicle's position along it is most certain.
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
