import Failures
import Foundation
package import TripModel

/// Statuses and related fields.
extension FindingRule {
    // The columns of a row stay together.
    // swift-format-ignore
    static let statuses: [FindingRule] = [
        .answer("statusMissing", .findingStatusMissing, .findingStatusMissingWhat, .lasting, .warning, [], advice: .adviceBackend, statusMissing),
        .answer("statusWentBack", .findingStatusWentBack, .findingStatusWentBackWhat, .event, .warning, ["from", "to"], advice: .adviceBackend, statusWentBack),
        .answer("changedAfterEnd", .findingChangedAfterEnd, .findingChangedAfterEndWhat, .lasting, .error, ["from", "to"], advice: .adviceBackend, changedAfterEnd),
        .answer("statusSkipped", .findingStatusSkipped, .findingStatusSkippedWhat, .event, .info, ["skipped", "within"], statusSkipped),
        .answer("stopsSkipped", .findingStopsSkipped, .findingStopsSkippedWhat, .event, .warning, ["stops", "reached"], advice: .adviceBackend, stopsSkipped),
        .answer("vehicleMissing", .findingVehicleMissing, .findingVehicleMissingWhat, .lasting, .warning, ["status"], advice: .adviceBackend, vehicleMissing),
        .answer("waypointsMissing", .findingWaypointsMissing, .findingWaypointsMissingWhat, .lasting, .warning, ["status"], advice: .adviceBackend, waypointsMissing),
        .answer("otherTripFirst", .findingOtherTripFirst, .findingOtherTripFirstWhat, .lasting, .info, ["waypoints"], otherTripFirst),
        .answer("providerDiffers", .findingProviderDiffers, .findingProviderDiffersWhat, .lasting, .error, ["asked", "answered"], advice: .adviceProvider, providerDiffers),
        .answer("listsTooLong", .findingListsTooLong, .findingListsTooLongWhat, .lasting, .warning, [], advice: .adviceBackend, listsTooLong),
        .answer("unknownValue", .findingUnknownValue, .findingUnknownValueWhat, .lasting, .info, [], unknownValue),
    ]

    /// The answer has no status.
    private static func statusMissing(_ step: AnswerStep) -> Detection? { step.hasStatus ? nil : Detection() }

    /// The status returned to an earlier one.
    private static func statusWentBack(_ step: AnswerStep) -> Detection? {
        guard let old = step.old?.status, let before = old.rank, let now = step.journey.status.rank, now < before else {
            return nil
        }
        return Detection(.text(old.name), .text(step.journey.status.name))
    }

    /// A field changed after COMPLETE or CANCELED.
    private static func changedAfterEnd(_ step: AnswerStep) -> Detection? {
        guard let before = step.old, before.isOver, step.answer.status != before.status else { return nil }
        return Detection(.text(before.status.name), .text(step.answer.status.name))
    }

    /// A status was skipped; it may have been shorter than the poll interval.
    private static func statusSkipped(_ step: AnswerStep) -> Detection? {
        guard let old = step.old?.status, !step.absent.contains(.missedStatuses) else { return nil }
        let skipped = step.journey.statusesSkipped(after: old)
        guard !skipped.isEmpty else { return nil }
        return Detection(.text(skipped.map(\.name).joined(separator: ",")), .seconds(step.elapsed))
    }

    /// The vehicle drives to the drop-off although it has not visited every stop.
    ///
    /// The stop index remains at the last stop during ENROUTE_TO_DROPOFF.
    private static func stopsSkipped(_ step: AnswerStep) -> Detection? {
        let journey = step.journey
        let (stops, reached) = (journey.intermediateDestinations.count, journey.intermediateDestinationIndex + 1)
        guard stops > 1, reached < stops, journey.status == .trip(.enrouteToDropoff),
            step.old?.status != journey.status
        else { return nil }
        return Detection(.count(stops), .count(reached))
    }

    /// A trip in progress has no vehicle.
    private static func vehicleMissing(_ step: AnswerStep) -> Detection? {
        guard step.isServed, step.journey.vehicleID == nil else { return nil }
        return Detection(.text(step.journey.status.name))
    }

    /// A trip in progress has no remaining waypoints.
    private static func waypointsMissing(_ step: AnswerStep) -> Detection? {
        guard step.isServed, step.journey.vehicleID != nil, step.journey.remainingWaypoints.isEmpty,
            !step.absent.contains(.remainingWaypoints)
        else { return nil }
        return Detection(.text(step.journey.status.name))
    }

    /// The vehicle serves another trip first.
    private static func otherTripFirst(_ step: AnswerStep) -> Detection? {
        let count = step.after.foreignWaypointsAhead
        return count > 0 && !step.journey.status.isTerminal ? Detection(.count(count)) : nil
    }

    /// The provider in the answer differs from the requested one.
    private static func providerDiffers(_ step: AnswerStep) -> Detection? {
        guard step.answer.provider != step.provider else { return nil }
        return Detection(.text(step.provider.rawValue), .text(step.answer.provider.rawValue))
    }

    /// A list in the answer exceeds the decoder's limit, which bounds its cost.
    private static func listsTooLong(_ step: AnswerStep) -> Detection? {
        let omitted = step.answer.omitted
        return omitted.isEmpty ? nil : Detection(named: omitted.map { Evidence($0.kind.rawValue, .count($0.count)) })
    }

    /// An unknown status, type or field.
    private static func unknownValue(_ step: AnswerStep) -> Detection? {
        let answer = step.answer
        var evidence: [Evidence] = []
        if let name = answer.status.unknownName, step.hasStatus {
            evidence.append(Evidence("tripStatus", .text(name)))
        }
        if case .unrecognized(let name)? = answer.type { evidence.append(Evidence("tripType", .text(name))) }
        for waypoint in answer.remainingWaypoints where evidence.count < maximumUnknownValues {
            if case .unrecognized(let name) = waypoint.kind { evidence.append(Evidence("waypointType", .text(name))) }
        }
        for interval in answer.traffic?.intervals ?? [] where evidence.count < maximumUnknownValues {
            if case .unrecognized(let name) = interval.speed { evidence.append(Evidence("speed", .text(name))) }
        }
        evidence += answer.unknownFields.map { Evidence("field", .text($0.name)) }
        return evidence.isEmpty ? nil : Detection(named: Array(evidence.prefix(maximumUnknownValues)))
    }

    /// The maximum number of unknown values that are named.
    private static let maximumUnknownValues = 8
}

extension AnswerStep {
    /// Whether the answer has a status, including an unknown one.
    fileprivate var hasStatus: Bool {
        if let name = answer.status.unknownName { !name.isEmpty && name != "UNKNOWN_TRIP_STATUS" } else { true }
    }
}

extension Journey {
    /// Returns the statuses between another one and this trip's; none of a canceled trip, and of a shipment.
    package func statusesSkipped(after old: JourneyStatus) -> [TripStatus] {
        guard let old = old.rank, let status = status.trip, let new = status.rank, status != .canceled else {
            return []
        }
        return TripStatus.known.filter { status in
            guard let rank = status.rank, rank > old, rank < new else { return false }
            // Only a trip with stops has the statuses of stops.
            return rank != 3 || !intermediateDestinations.isEmpty
        }
    }
}
