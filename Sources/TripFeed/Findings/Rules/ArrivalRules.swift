import Failures
import Foundation
import Runtime
import TripModel

/// Arrival times and remaining distances.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let arrivals: [FindingRule] = [
        .answer("overdue", .findingOverdue, .findingOverdueWhat, .lasting, .info, ["late", "arrival"], limits: [.overdue, .longOverdue], overdue),
        .answer(
            "arrivalJumped", .findingArrivalJumped, .findingArrivalJumpedWhat,
            .event,
            .warning,
            ["shift", "within", "arrival"],
            limits: [.arrivalJump],
            arrivalJumped
        ),
        .answer("arrivalAfterEnd", .findingArrivalAfterEnd, .findingArrivalAfterEndWhat, .lasting, .warning, ["status", "arrival"], advice: .adviceBackend, arrivalAfterEnd),
        .answer("distanceGrew", .findingDistanceGrew, .findingDistanceGrewWhat, .event, .warning, ["from", "to"], limits: [.distanceGrowth], distanceGrew),
        .answer("rerouted", .findingRerouted, .findingReroutedWhat, .event, .warning, ["from", "to", "shift"], limits: [.detour, .arrivalJump], rerouted),
        .answer(
            "distanceDiffersFromRoute", .findingDistanceDiffersFromRoute, .findingDistanceDiffersFromRouteWhat,
            .event,
            .warning,
            ["reported", "route"],
            limits: [.routeShare, .routeDifference],
            distanceDiffersFromRoute
        ),
        .answer(
            "arrivalDisagrees", .findingArrivalDisagrees, .findingArrivalDisagreesWhat,
            .lasting,
            .warning,
            ["shift", "distance", "speed", "zone"],
            limits: [.arrivalDifference],
            advice: .adviceBackend,
            arrivalDisagrees
        ),
        .answer("pickupTimeMoves", .findingPickupTimeMoves, .findingPickupTimeMovesWhat, .event, .warning, ["shift"], advice: .adviceBackend, pickupTimeMoves),
        .answer("dropoffBeforePickup", .findingDropoffBeforePickup, .findingDropoffBeforePickupWhat, .lasting, .error, ["before"], advice: .adviceBackend, dropoffBeforePickup),
        .places(
            "farFromPlan", .findingFarFromPlan, .findingFarFromPlanWhat,
            .event,
            .warning,
            ["place", "distance"],
            places: ["pickup", "dropoff"],
            limits: [.planDistance],
            farFromPlan
        ),
    ]

    /// The vehicle has reported after the expected time, and the stop is still ahead.
    ///
    /// Fleet Engine updates the ETA only on a driver's report. So without reports the ETA passes, and nothing is known of the
    /// arrival.
    private static func overdue(_ step: AnswerStep) -> Detection? {
        guard step.isUnderWay || step.journey.status == .trip(.new), let arrival = step.journey.firstArrival else {
            return nil
        }
        guard let late = step.after.overdue?.seconds, late > step.limits[.overdue] else { return nil }
        return Detection(
            .seconds(late),
            .time(arrival),
            severity: late > step.limits[.longOverdue] ? .warning : .info
        )
    }

    /// The ETA changed suddenly, without a new status or route.
    private static func arrivalJumped(_ step: AnswerStep) -> Detection? {
        guard let old = step.comparable, let before = old.firstArrival, let now = step.journey.firstArrival,
            old.routeVersion == step.journey.routeVersion
        else { return nil }
        let shift = now.timeIntervalSince(before)
        guard step.isJump(abs(shift)) else { return nil }
        return Detection(.seconds(shift), .seconds(step.elapsed), .time(now))
    }

    /// There is an ETA although the trip has ended.
    private static func arrivalAfterEnd(_ step: AnswerStep) -> Detection? {
        // A shipment that was handed over stays open until the vehicle leaves.
        guard step.journey.isOver, let arrival = step.answer.firstArrival else { return nil }
        return Detection(.text(step.journey.status.name), .time(arrival))
    }

    /// The remaining distance grew on an unchanged route, which is a data error.
    private static func distanceGrew(_ step: AnswerStep) -> Detection? {
        guard let (old, before, now) = step.distances, old.routeVersion == step.journey.routeVersion,
            now - before > step.limits[.distanceGrowth]
        else { return nil }
        return Detection(.meters(before), .meters(now))
    }

    /// A new route is longer or takes longer than the old one: a detour.
    private static func rerouted(_ step: AnswerStep) -> Detection? {
        guard let (old, before, now) = step.distances, old.routeVersion != step.journey.routeVersion else { return nil }
        let arrivals = (old.firstArrival, step.journey.firstArrival)
        let shift = arrivals.0.flatMap { old in arrivals.1.map { $0.timeIntervalSince(old) } } ?? 0
        guard now - before > step.limits[.detour] || step.isJump(shift) else { return nil }
        return Detection(.meters(before), .meters(now), .seconds(shift))
    }

    /// The remaining distance differs from the length of the route.
    ///
    /// Checked only for a new route, when the vehicle's position along it is most certain.
    private static func distanceDiffersFromRoute(_ step: AnswerStep) -> Detection? {
        guard let old = step.old, old.routeVersion != step.journey.routeVersion, let route = step.journey.route,
            !step.journey.status.isTerminal, let position = step.journey.lastLocation?.coordinate,
            let nearest = route.nearest(to: position), let reported = step.journey.firstDistance?.meters
        else { return nil }
        let remaining = route.length.meters - nearest.offset
        let limit = max(step.limits[.routeDifference], remaining * step.limits[.routeShare])
        return abs(remaining - reported) > limit ? Detection(.meters(reported), .meters(remaining)) : nil
    }

    /// The arrival is far from the arrival computed from the vehicle's distance and speed; a time zone may be wrong.
    private static func arrivalDisagrees(_ step: AnswerStep) -> Detection? {
        step.durations.arrivalCheck.disagreement.map { found in
            Detection(
                .seconds(found.shift),
                .meters(found.distance),
                .metersPerSecond(found.speed),
                found.zone.map { .seconds($0) }
            )
        }
    }

    /// The pickup time changes although the rider is on board.
    private static func pickupTimeMoves(_ step: AnswerStep) -> Detection? {
        guard let old = step.old, old.actualPickup != nil, step.journey.actualPickup != nil,
            let before = old.pickupTime, let now = step.journey.pickupTime
        else { return nil }
        let shift = now.timeIntervalSince(before)
        return abs(shift) > 1 ? Detection(.seconds(shift)) : nil
    }

    /// The drop-off time is before the pickup time.
    private static func dropoffBeforePickup(_ step: AnswerStep) -> Detection? {
        guard let pickup = step.journey.pickupTime, let dropoff = step.journey.dropoffTime, dropoff < pickup else {
            return nil
        }
        return Detection(.seconds(pickup.timeIntervalSince(dropoff)))
    }

    /// The actual pickup or drop-off, when it becomes known, is far from the requested place.
    private static func farFromPlan(_ step: AnswerStep, place: String) -> Detection? {
        let isPickup = place == "pickup"
        let actualPlace = isPickup ? \Journey.actualPickup : \Journey.actualDropoff
        guard step.old?[keyPath: actualPlace] == nil, let actual = step.journey[keyPath: actualPlace],
            let planned = isPickup ? step.journey.pickup : step.journey.dropoff
        else { return nil }
        let distance = actual.coordinate.distance(to: planned).meters
        return distance > step.limits[.planDistance] ? Detection(.text(place), .meters(distance)) : nil
    }
}

extension FindingLimit {
    static let overdue = seconds(
        "overdue",
        30,
        "the predicted time of a stop had passed by more than this when the vehicle last reported"
    )
    static let longOverdue = seconds("longOverdue", 120, "the same, with severity warning")
    static let arrivalJump = seconds("arrivalJump", 45, "the predicted arrival shifts by more than this at once")
    static let distanceGrowth = meters(
        "distanceGrowth",
        100,
        "the remaining distance grows by more than this on the same route"
    )
    static let detour = meters("detour", 500, "a new route is longer by more than this")
    static let routeShare = share(
        "routeShare",
        0.05,
        "the remaining distance differs from the route by more than this share of it"
    )
    /// Differences below this are ignored, because the fraction is insignificant on a short route.
    static let routeDifference = meters(
        "routeDifference",
        100,
        "smaller differences between remaining distance and route are never reported"
    )
    /// Half an hour: more than waiting and traffic add to a way of five minutes, and less than time zones differ.
    static let arrivalDifference = seconds(
        "arrivalDifference",
        1800,
        "the predicted arrival differs by more than this from what distance and speed allow"
    )
    static let planDistance = meters(
        "planDistance",
        150,
        "pickup or drop-off happened further than this from the requested place"
    )
}

extension AnswerStep {
    /// Whether a change of the ETA is sudden.
    ///
    /// If the vehicle is stationary, the ETA advances with the clock; the rule `arrivalSlides` covers that case.
    fileprivate func isJump(_ shift: Double) -> Bool { shift > max(limits[.arrivalJump], elapsed * 1.5) }

    /// The comparable previous trip, and the remaining distances before and now in meters.
    fileprivate var distances: (old: Journey, before: Double, now: Double)? {
        guard let old = comparable, let before = old.firstDistance?.meters, let now = journey.firstDistance?.meters
        else {
            return nil
        }
        return (old, before, now)
    }
}
