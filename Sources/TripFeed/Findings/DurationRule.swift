import Foundation
import TripModel

/// Detects conditions that last over many answers, such as a stationary vehicle or an ETA that advances with the clock.
struct DurationRule: Sendable, Equatable {
    /// A vehicle's position and since when it has been there, by the device's clock.
    private struct Rest: Sendable, Equatable {
        var place: Coordinate
        var since: Date
        var status: TripStatus
    }

    private var rest: Rest?
    private var slide = Slide()
    /// Since when each field that is required for following a trip has been missing.
    private var missing: [TripField: Date] = [:]

    /// Processes an answer; returns the conditions that have lasted too long.
    mutating func take(_ step: AnswerStep) -> [FindingCandidate] {
        [standsStill(step), arrivalSlides(step), trackingMissing(step)].compactMap(\.self)
    }

    private mutating func trackingMissing(_ step: AnswerStep) -> FindingCandidate? {
        let trip = step.trip
        let gaps: [(field: TripField, name: String, isMissing: Bool)] = [
            (.lastLocation, "position", trip.lastLocation?.coordinate == nil),
            (.route, "route", (trip.route?.points.count ?? 0) < 2),
            (.etaToFirstWaypoint, "arrival", trip.firstArrival == nil),
        ]
        for gap in gaps {
            let isMissing = step.isUnderWay && gap.isMissing && !step.absent.contains(gap.field)
            missing[gap.field] = isMissing ? missing[gap.field] ?? step.time : nil
        }
        let long = gaps.compactMap { gap -> (name: String, seconds: Double)? in
            missing[gap.field].map { (gap.name, step.time.timeIntervalSince($0)) }
        }.filter { $0.seconds > step.limits.gap.seconds }
        guard let longest = long.map(\.seconds).max() else { return nil }
        return .lasting(
            .trackingMissing,
            .warning,
            Evidence("for", .seconds(longest)),
            Evidence("missing", .text(long.map(\.name).joined(separator: ",")))
        )
    }

    private mutating func standsStill(_ step: AnswerStep) -> FindingCandidate? {
        guard step.isUnderWay, let position = step.trip.lastLocation, let place = position.coordinate,
            let measured = position.measuredTime ?? position.serverTime
        else {
            rest = nil
            return nil
        }
        guard let known = rest, known.status == step.trip.status,
            known.place.distance(to: place) <= step.limits.noise
        else {
            rest = Rest(place: place, since: measured, status: step.trip.status)
            return nil
        }
        let stood = measured.timeIntervalSince(known.since)
        guard stood > step.limits.standstill.seconds else { return nil }
        return .lasting(.standsStill, .warning, Evidence("for", .seconds(stood)))
    }

    private mutating func arrivalSlides(_ step: AnswerStep) -> FindingCandidate? {
        guard !step.trip.status.isTerminal, let arrival = step.trip.firstArrival,
            let received = step.trip.lastLocation?.serverTime
        else {
            slide = Slide()
            return nil
        }
        // Times of another leg, vehicle or next waypoint are not comparable.
        if step.comparable == nil { slide = Slide() }
        slide.add(received: received, arrival: arrival)
        guard let slid = slide.longest(atLeast: step.limits.arrivalSlide.seconds) else { return nil }
        return .lasting(
            .arrivalSlides,
            .info,
            Evidence("for", .seconds(slid.time)),
            Evidence("shift", .seconds(slid.shift))
        )
    }
}
