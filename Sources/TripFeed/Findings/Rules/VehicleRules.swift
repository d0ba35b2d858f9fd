import Failures
import Foundation
import Runtime
import TripModel

/// The vehicle of a trip and the stops that it has left.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let vehicles: [FindingRule] = [
        .answer("planShrank", .findingPlanShrank, .findingPlanShrankWhat, .event, .warning, ["from", "to"], advice: .adviceBackend, planShrank),
        .answer("vehicleAlternates", .findingVehicleAlternates, .findingVehicleAlternatesWhat, .event, .warning, ["vehicle", "changes"], advice: .adviceBackend, vehicleAlternates),
    ]

    /// A stop of the trip is gone although the vehicle has not reached one.
    private static func planShrank(_ step: AnswerStep) -> Detection? {
        guard let old = step.comparable, step.isUnderWay,
            old.intermediateDestinationIndex == step.journey.intermediateDestinationIndex
        else { return nil }
        let (before, now) = (old.ownStops, step.journey.ownStops)
        // With another first stop, the vehicle may have reached the previous stop. A missing list has other findings.
        guard let first = now.first, first.coordinate == before.first?.coordinate, now.count < before.count else {
            return nil
        }
        return Detection(.count(before.count), .count(now.count))
    }

    /// The trip is back with a vehicle that it had before the last one.
    private static func vehicleAlternates(_ step: AnswerStep) -> Detection? {
        guard step.durations.vehicles.isBack, let vehicle = step.journey.vehicleID else { return nil }
        return Detection(.text(vehicle.rawValue), .count(step.durations.vehicles.changes))
    }
}

extension Journey {
    /// The remaining waypoints of this trip.
    fileprivate var ownStops: [Waypoint] { remainingWaypoints.filter { $0.belongs(to: id.trip) } }
}

/// The vehicles that a trip has had.
struct VehicleHistory: Sendable, Equatable {
    private static let maximum = 8

    /// The last vehicles, oldest first.
    private var vehicles: [VehicleID] = []
    /// How often the vehicle has changed.
    private(set) var changes = 0
    /// Whether the last answer has another vehicle than the previous answer, and an earlier answer had this vehicle.
    private(set) var isBack = false

    /// Records the vehicle of an answer; `nil` changes nothing.
    mutating func record(_ vehicle: VehicleID?) {
        isBack = false
        guard let vehicle, vehicle != vehicles.last else { return }
        if !vehicles.isEmpty { changes += 1 }
        isBack = vehicles.contains(vehicle)
        vehicles.append(vehicle)
        if vehicles.count > Self.maximum { vehicles.removeFirst() }
    }
}

/// Conditions that last over many answers.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let durations: [FindingRule] = [
        .answer("standsStill", .findingStandsStill, .findingStandsStillWhat, .lasting, .warning, ["for"], limits: [.standstill, .noise], standsStill),
        .answer("arrivalSlides", .findingArrivalSlides, .findingArrivalSlidesWhat, .lasting, .info, ["for", "shift"], limits: [.arrivalSlide], arrivalSlides),
        .answer(
            "trackingMissing", .findingTrackingMissing, .findingTrackingMissingWhat,
            .lasting,
            .warning,
            ["for", "missing"],
            limits: [.gap],
            advice: .adviceBackend,
            trackingMissing
        ),
    ]

    /// The vehicle has not moved for a while although it is en route.
    private static func standsStill(_ step: AnswerStep) -> Detection? {
        guard let duration = step.durations.stationary, duration > step.limits[.standstill] else { return nil }
        return Detection(.seconds(duration))
    }

    /// The ETA advances as fast as the clock: the vehicle gets no closer.
    private static func arrivalSlides(_ step: AnswerStep) -> Detection? {
        step.durations.slide.longest(atLeast: step.limits[.arrivalSlide])
            .map { Detection(.seconds($0.time), .seconds($0.shift)) }
    }

    /// A trip in progress has had no position, route or ETA for a while.
    private static func trackingMissing(_ step: AnswerStep) -> Detection? {
        let missing = TripDurations.requiredFields.compactMap { field, name -> (name: String, seconds: Double)? in
            step.durations.missing[field].map { (name, step.time.timeIntervalSince($0)) }
        }.filter { $0.seconds > step.limits[.gap] }
        guard let longest = missing.map(\.seconds).max() else { return nil }
        return Detection(.seconds(longest), .text(missing.map(\.name).joined(separator: ",")))
    }
}

extension FindingLimit {
    static let standstill = seconds("standstill", 180, "the vehicle has not moved for longer than this while under way")
    /// Movements below this are position noise of a stationary device.
    static let noise = meters("noise", 10, "smaller movements count as none")
    static let arrivalSlide = seconds(
        "arrivalSlide",
        40,
        "the predicted arrival moves on with the clock for longer than this"
    )
}
