import Foundation
import Runtime
import TripFeed
import TripModel

/// What the emulator's world had stored of a trip when it answered a rider: the truth that claims are compared with.
struct ScenarioTruth {
    /// The clocks agree; the service's header has whole seconds.
    private static let tolerance = 2.0
    /// When the service answered.
    let time: Date
    /// What it had stored.
    let trip: Trip
    /// When it still had stored another status; `nil` if it never had.
    let before: Date?
    /// The first arrival at the end that an answer showed; `nil` if none did.
    let promised: Date?
    /// Whether answers lose fields on their way.
    let isSparse: Bool

    /// The last time of which the service knew something of the vehicle.
    private var reportTime: Date { trip.lastLocation?.serverTime ?? time }
    /// The same as the rider can know it.
    private var possibleReportTimes: [Date] { isSparse ? [reportTime, time] : [reportTime] }

    /// Returns what is false about the claims of a time, and what they leave out; news is old after a number of seconds.
    func problems(of claims: Claims, at now: Date, oldAfter limit: Double) -> [String] {
        claims.all.flatMap { claim in
            conditions(claim, at: now).filter { !$0.1 }.map { "\($0.0): \(claim.kind)" }
        } + (isSparse ? [] : omissions(from: claims, at: now, oldAfter: limit))
    }

    private func conditions(_ claim: Claim, at now: Date) -> [(String, Bool)] {
        let asOf = ("as of a time after the answer", claim.asOf <= time + Self.tolerance)
        let end = ("it has ended", claim.until.map { $0 > now - Self.tolerance } ?? true)
        let conditions: [(String, Bool)] =
            switch claim.kind {
            case .expected(let arrival, let expected, let left):
                openArrival(arrival.kind, expected) + [
                    ("the time left", Self.isNear(expected.timeIntervalSince(now), left.seconds)),
                    ("as of the answer", Self.isNear(claim.asOf.timeIntervalSince(time), 0)),
                ]
            case .overdue(let arrival, let expected, let late):
                openArrival(arrival.kind, expected) + [
                    (
                        "as of the report",
                        possibleReportTimes.contains { Self.isNear(claim.asOf.timeIntervalSince($0), 0) }
                    ),
                    ("report after the expected time", claim.asOf > expected),
                    ("counted up to the report", Self.isNear(claim.asOf.timeIntervalSince(expected), late.seconds)),
                ]
            case .notShown: [("the service hides nothing of a trip", false)]
            case .noReport(let silence, let missed):
                (missed.map { openArrival($0.arrival.kind, $0.expected) } ?? []) + [
                    ("the age of the report", isAge(silence.seconds, at: now)),
                    ("the time has passed", missed.map { $0.expected < now + Self.tolerance } ?? true),
                ]
            case .atStop(let arrival, let since):
                [
                    ("the service shows it there", Self.stop(at: trip.status) == arrival.kind),
                    ("since then", isChange(since, or: arrivals) && since < now + Self.tolerance),
                ]
            case .reached(let arrival, let done, let delay):
                [
                    ("it is complete", trip.status == .complete && arrival.kind == .dropoff),
                    ("then", isChange(done, or: ends) && done < now + Self.tolerance),
                    ("the delay", isDelay(delay?.seconds, done)),
                ]
            case .ended(let status):
                [("the last status", status == .trip(trip.status) && trip.status.isTerminal)]
            }
        return [asOf, end] + conditions
    }

    private func openArrival(_ kind: Waypoint.Kind, _ expected: Date) -> [(String, Bool)] {
        let own: Date? =
            switch kind {
            case .pickup: trip.pickupTime
            case .dropoff: trip.dropoffTime
            case .intermediateDestination, .unrecognized: nil
            }
        let waypoints = trip.remainingWaypoints.filter { $0.kind == kind }.map(\.eta)
        let times = ([own, trip.etaToFirstWaypoint] + waypoints).compactMap(\.self)
        return [
            ("the service expects it then", times.contains { abs($0.timeIntervalSince(expected)) < 0.1 }),
            ("the stop is ahead", !Self.passed(at: trip.status).contains(kind)),
        ]
    }

    private func isAge(_ silence: Double, at now: Date) -> Bool {
        possibleReportTimes.contains { Self.isNear(max(0, now.timeIntervalSince($0)), silence) }
    }

    /// When the driver's device says that it arrived at stops.
    private var arrivals: [Date?] { [trip.actualPickupArrival?.time] + trip.actualStopArrivals.map(\.time) }
    /// When service and device say that the trip ended.
    private var ends: [Date?] { [trip.dropoffTime, trip.actualDropoff?.time] }

    /// Returns whether a time is one of those that are reported, or not before the status.
    private func isChange(_ time: Date, or reported: [Date?]) -> Bool {
        if reported.contains(where: { $0.map { Self.isNear($0.timeIntervalSince(time), 0) } ?? false }) { return true }
        return before.map { time > $0 - Self.tolerance } ?? true
    }

    private func isDelay(_ delay: Double?, _ done: Date) -> Bool {
        guard let delay, let promised else { return true }
        return Self.isNear(done.timeIntervalSince(promised), delay)
    }

    private func omissions(from claims: Claims, at now: Date, oldAfter limit: Double) -> [String] {
        func has(_ isMeant: (Claim) -> Bool) -> Bool { claims.all.contains(where: isMeant) }
        var missing: [String] = []
        if Self.stop(at: trip.status) != nil, !has({ if case .atStop = $0.kind { true } else { false } }) {
            missing.append("it is at a stop")
        }
        if trip.status.isTerminal {
            if !has({ if case .ended = $0.kind { true } else { false } }) { missing.append("it is over") }
            return missing
        }
        if trip.status == .enrouteToDropoff, trip.dropoffTime != nil,
            !has({ $0.isOfOpenArrival && $0.arrival?.kind == .dropoff })
        {
            missing.append("nothing of the drop-off")
        }
        if now.timeIntervalSince(reportTime) > limit + Self.tolerance,
            !has({ if case .noReport = $0.kind { true } else { false } })
        {
            missing.append("no news")
        }
        return missing
    }

    private static func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= tolerance }

    /// Returns the stop at which a vehicle with a status is.
    private static func stop(at status: TripStatus) -> Waypoint.Kind? {
        switch status {
        case .arrivedAtPickup: .pickup
        case .arrivedAtIntermediateDestination: .intermediateDestination
        default: nil
        }
    }

    /// Returns the stops at which nothing is expected any more.
    private static func passed(at status: TripStatus) -> [Waypoint.Kind] {
        switch status {
        case .new, .enrouteToPickup: []
        case .arrivedAtPickup, .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination: [.pickup]
        case .enrouteToDropoff: [.pickup, .intermediateDestination]
        default: [.pickup, .intermediateDestination, .dropoff]
        }
    }
}
