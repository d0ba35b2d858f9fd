import FleetWire
import Foundation
import TripModel

/// The rules for statuses and related fields.
extension AnswerStep {
    var statusCandidates: [FindingCandidate] {
        [
            statusMissing, statusWentBack, changedAfterEnd, statusSkipped, stopsSkipped, vehicleMissing,
            waypointsMissing, otherTripFirst, providerDiffers, listsTooLong,
        ].compactMap(\.self) + unknownValues
    }

    private var statusMissing: FindingCandidate? { hasStatus ? nil : .lasting(.statusMissing, .warning) }

    /// Whether the answer has a status, including an unknown one.
    private var hasStatus: Bool {
        if case .unrecognized(let name) = answer.status { !name.isEmpty && name != "UNKNOWN_TRIP_STATUS" } else { true }
    }

    private var statusWentBack: FindingCandidate? {
        guard let old, let was = old.status.rank, let now = trip.status.rank, now < was else { return nil }
        return .event(
            .statusWentBack,
            .warning,
            Evidence("from", .text(old.status.name)),
            Evidence("to", .text(trip.status.name))
        )
    }

    private var changedAfterEnd: FindingCandidate? {
        guard let old, old.status.isTerminal, answer.status != old.status else { return nil }
        return .lasting(
            .changedAfterEnd,
            .error,
            Evidence("from", .text(old.status.name)),
            Evidence("to", .text(answer.status.name))
        )
    }

    /// Returns the statuses between two others; statuses of stops are included only if the trip has stops.
    private func skipped(from old: TripStatus, to new: TripStatus) -> [TripStatus] {
        guard let was = old.rank, let now = new.rank, new != .canceled else { return [] }
        return TripStatus.known.filter { status in
            guard let rank = status.rank, rank > was, rank < now else { return false }
            return rank != 3 || !trip.intermediateDestinations.isEmpty
        }
    }

    private var statusSkipped: FindingCandidate? {
        guard let old else { return nil }
        let skipped = skipped(from: old.status, to: trip.status)
        guard !skipped.isEmpty else { return nil }
        return .event(
            .statusSkipped,
            .info,
            Evidence("skipped", .text(skipped.map(\.name).joined(separator: ","))),
            Evidence("within", .seconds(elapsed))
        )
    }

    /// The vehicle drives to the drop-off before the last stop.
    ///
    /// The stop index remains at the last stop during ENROUTE_TO_DROPOFF.
    private var stopsSkipped: FindingCandidate? {
        let (stops, reached) = (trip.intermediateDestinations.count, trip.intermediateDestinationIndex + 1)
        guard stops > 1, reached < stops, trip.status == .enrouteToDropoff, old?.status != .enrouteToDropoff else {
            return nil
        }
        return .event(.stopsSkipped, .warning, Evidence("stops", .count(stops)), Evidence("reached", .count(reached)))
    }

    private var vehicleMissing: FindingCandidate? {
        guard isServed, trip.vehicleID == nil else { return nil }
        return .lasting(.vehicleMissing, .warning, Evidence("status", .text(trip.status.name)))
    }

    private var waypointsMissing: FindingCandidate? {
        guard isServed, trip.vehicleID != nil, trip.remainingWaypoints.isEmpty, !absent.contains(.remainingWaypoints)
        else { return nil }
        return .lasting(.waypointsMissing, .warning, Evidence("status", .text(trip.status.name)))
    }

    private var otherTripFirst: FindingCandidate? {
        let count = after.foreignWaypointsAhead
        guard count > 0, !trip.status.isTerminal else { return nil }
        return .lasting(.otherTripFirst, .info, Evidence("waypoints", .count(count)))
    }

    private var providerDiffers: FindingCandidate? {
        guard answer.provider != provider else { return nil }
        return .lasting(
            .providerDiffers,
            .error,
            Evidence("asked", .text(provider.rawValue)),
            Evidence("answered", .text(answer.provider.rawValue))
        )
    }

    /// The decoder limits lists to bound its cost; the omission must be reported.
    private var listsTooLong: FindingCandidate? {
        guard !answer.omitted.isEmpty else { return nil }
        return FindingCandidate(
            rule: .listsTooLong,
            severity: .warning,
            evidence: answer.omitted.map { Evidence($0.kind.rawValue, .count($0.count)) },
            isLasting: true
        )
    }

    private var unknownValues: [FindingCandidate] {
        var evidence: [Evidence] = []
        if case .unrecognized(let name) = answer.status, hasStatus {
            evidence.append(Evidence("tripStatus", .text(name)))
        }
        if case .unrecognized(let name)? = answer.type { evidence.append(Evidence("tripType", .text(name))) }
        for waypoint in answer.remainingWaypoints where evidence.count < Self.mostEvidence {
            if case .unrecognized(let name) = waypoint.kind { evidence.append(Evidence("waypointType", .text(name))) }
        }
        for interval in answer.traffic?.intervals ?? [] where evidence.count < Self.mostEvidence {
            if case .unrecognized(let name) = interval.speed { evidence.append(Evidence("speed", .text(name))) }
        }
        evidence += answer.unknownFields.map { Evidence("field", .text($0.name)) }
        guard !evidence.isEmpty else { return [] }
        let shown = Array(evidence.prefix(Self.mostEvidence))
        return [FindingCandidate(rule: .unknownValue, severity: .info, evidence: shown, isLasting: true)]
    }

    /// The maximum number of unknown values that are named.
    private static let mostEvidence = 8
}
