import Failures
import Foundation
import TripModel

/// Changes of what was ordered, while the trip is active.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let plan: [FindingRule] = [
        .answer("pickupMoved", .findingPickupMoved, .findingPickupMovedWhat, .event, .warning, ["distance"], limits: [.planShift], pickupMoved),
        .answer("dropoffMoved", .findingDropoffMoved, .findingDropoffMovedWhat, .event, .warning, ["distance"], limits: [.planShift], dropoffMoved),
        .answer("stopsChanged", .findingStopsChanged, .findingStopsChangedWhat, .event, .warning, ["from", "to"], stopsChanged),
        .answer("stopMoved", .findingStopMoved, .findingStopMovedWhat, .event, .warning, ["stop", "distance"], limits: [.planShift], stopMoved),
        .answer("passengersChanged", .findingPassengersChanged, .findingPassengersChangedWhat, .event, .warning, ["from", "to"], passengersChanged),
        .answer("tripTypeChanged", .findingTripTypeChanged, .findingTripTypeChangedWhat, .event, .warning, ["from", "to"], tripTypeChanged),
        .answer("windowMoved", .findingWindowMoved, .findingWindowMovedWhat, .event, .warning, ["oldStart", "oldEnd", "start", "end", "shift"], windowMoved),
    ]

    /// The requested pickup is at another place.
    private static func pickupMoved(_ step: AnswerStep) -> Detection? {
        step.shift(from: step.earlierPlan?.pickup, to: step.plan.pickup).map { Detection(.meters($0)) }
    }

    /// The requested drop-off is at another place.
    private static func dropoffMoved(_ step: AnswerStep) -> Detection? {
        step.shift(from: step.earlierPlan?.dropoff, to: step.plan.dropoff).map { Detection(.meters($0)) }
    }

    /// The trip has more or fewer stops.
    private static func stopsChanged(_ step: AnswerStep) -> Detection? {
        guard let before = step.earlierPlan?.stops.count, before != step.plan.stops.count else { return nil }
        return Detection(.count(before), .count(step.plan.stops.count))
    }

    /// A stop is at another place, or the order of the stops differs; the first such stop.
    private static func stopMoved(_ step: AnswerStep) -> Detection? {
        guard let before = step.earlierPlan?.stops, before.count == step.plan.stops.count else { return nil }
        return zip(before, step.plan.stops).enumerated().lazy.compactMap { index, places in
            step.shift(from: places.0, to: places.1).map { Detection(.count(index + 1), .meters($0)) }
        }.first
    }

    /// The number of passengers differs.
    private static func passengersChanged(_ step: AnswerStep) -> Detection? {
        guard let before = step.earlierPlan?.passengers, let now = step.plan.passengers, before != now else {
            return nil
        }
        return Detection(.count(before), .count(now))
    }

    /// The trip became shared or exclusive.
    private static func tripTypeChanged(_ step: AnswerStep) -> Detection? {
        guard let before = step.earlierPlan?.type, let now = step.plan.type, before != now else { return nil }
        return Detection(.text(before.name), .text(now.name))
    }

    /// The promised time window of a shipment has changed.
    private static func windowMoved(_ step: AnswerStep) -> Detection? {
        guard let before = step.earlierPlan?.window, let now = step.plan.window, before != now else { return nil }
        let (start, end) = (now.start.timeIntervalSince(before.start), now.end.timeIntervalSince(before.end))
        return Detection(
            .time(before.start),
            .time(before.end),
            .time(now.start),
            .time(now.end),
            // The clock times may be the same on another day.
            .seconds(end == 0 ? start : end)
        )
    }
}

extension FindingLimit {
    static let planShift = meters("planShift", 20, "the requested pickup, drop-off or a stop moves by more than this")
}

extension AnswerStep {
    /// Returns the distance in meters between two places, if it is notable.
    fileprivate func shift(from before: Coordinate?, to now: Coordinate?) -> Double? {
        guard let before, let now else { return nil }
        let meters = before.distance(to: now).meters
        return meters > limits[.planShift] ? meters : nil
    }
}
