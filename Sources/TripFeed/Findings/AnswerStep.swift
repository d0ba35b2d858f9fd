package import Failures
package import FleetTokens
import FleetWire
package import Foundation
import TripModel

/// One poll of a trip, successful or not: the input of the rules.
struct PollStep {
    let report: PollReport
    /// The trip's token after the poll.
    let token: ExaminedToken
    /// The poll interval.
    let interval: Duration
    /// The earlier polls and this one.
    let history: PollHistory
    /// The answer; `nil` if the poll failed.
    let answer: AnswerStep?
}

/// Two successive answers about one trip.
///
/// It is a class, because each of the many rules would copy so large a value.
final class AnswerStep {
    /// The state before the answer; `nil` before the first answer.
    let before: TripState?
    /// The state after the answer.
    let after: TripState
    /// The answer before it was merged.
    let answer: Journey
    /// The trip after the answer was merged.
    let journey: Journey
    /// The service's time of the answer.
    let time: Date
    /// The time since the previous answer in seconds; 0 for the first answer.
    let elapsed: Double
    /// The requested project.
    let provider: ProviderID
    /// Fields that the source never provides, such as those missing in a log format; their absence is not a finding.
    let absent: Set<TripField>
    let limits: FindingLimits
    /// Which clock is wrong.
    let clocks: ClockVerdict
    /// The conditions that last over many answers, including this one.
    private(set) var durations: TripDurations
    /// What was ordered before the answer; `nil` before the first answer, and after the end of the trip.
    let earlierPlan: TripPlan?
    /// What was ordered, with the answer.
    let plan: TripPlan

    /// Creates a step, and records it in `durations` and `plan`.
    init(
        before: TripState?,
        after: TripState,
        answer: Journey,
        journey: Journey,
        time: Date,
        elapsed: Double,
        provider: ProviderID,
        absent: Set<TripField>,
        limits: FindingLimits,
        clocks: ClockVerdict,
        durations: inout TripDurations,
        plan: inout TripPlan
    ) {
        (self.before, self.after, self.answer, self.journey) = (before, after, answer, journey)
        (self.time, self.elapsed, self.provider) = (time, elapsed, provider)
        (self.absent, self.limits, self.clocks, self.durations) = (absent, limits, clocks, durations)
        let planBefore = plan.record(journey)
        earlierPlan = before == nil || journey.status.isTerminal ? nil : planBefore
        self.plan = plan
        durations.record(self)
        self.durations = durations
    }

    /// The trip before the answer.
    var old: Journey? { before?.journey }

    /// Whether the vehicle is driving to one of the trip's stops, or to a shipment's on its tour.
    var isUnderWay: Bool {
        switch journey.status {
        case .trip(let status): status.isUnderWay
        case .shipment(let status):
            status == .open && journey.etaToFirstWaypoint != nil && !journey.isAtOwnStop && !journey.hidesArrival
        }
    }

    /// Whether a vehicle should be serving the trip: from ENROUTE_TO_PICKUP to ENROUTE_TO_DROPOFF.
    var isServed: Bool { journey.status.rank.map { (1...4).contains($0) } ?? false }

    /// The previous trip, if status, vehicle and next waypoint are unchanged.
    ///
    /// Times and distances refer to the next waypoint, so they are comparable only then.
    var comparable: Journey? {
        guard let old, !journey.status.isTerminal, old.status == journey.status, old.vehicleID == journey.vehicleID
        else {
            return nil
        }
        let (previous, current) = (old.remainingWaypoints.first, journey.remainingWaypoints.first)
        return previous?.kind == current?.kind && previous?.tripID == current?.tripID ? old : nil
    }

    /// The last position; `nil` if it has no coordinate, or after the end of the trip.
    var position: VehicleLocation? {
        guard let position = journey.lastLocation, position.coordinate != nil, !journey.status.isTerminal else {
            return nil
        }
        return position
    }

    /// The previous position, if it belongs to the same vehicle.
    var previousPosition: VehicleLocation? { old?.vehicleID == journey.vehicleID ? old?.lastLocation : nil }
}

/// What was ordered: places, stops, passengers and type of a trip, and the time window of a shipment, as last answered.
///
/// An answer may lack any of them; what it lacks stays as it was.
struct TripPlan: Sendable, Equatable {
    private(set) var pickup: Coordinate?
    private(set) var dropoff: Coordinate?
    private(set) var stops: [Coordinate] = []
    private(set) var passengers: Int?
    private(set) var type: TripType?
    private(set) var window: TimeWindow?
    private var stopsVersion: Version?

    /// Records an answer; returns the plan before it.
    mutating func record(_ journey: Journey) -> TripPlan {
        let before = self
        pickup = journey.pickup ?? pickup
        dropoff = journey.dropoff ?? dropoff
        passengers = journey.passengers ?? passengers
        type = journey.type ?? type
        window = journey.shipment?.targetTimeWindow ?? window
        if !journey.intermediateDestinations.isEmpty || stops.isEmpty || lacksStops(journey) {
            stops = journey.intermediateDestinations
            stopsVersion = journey.trip?.intermediateDestinationsVersion
        }
        return before
    }

    /// Returns whether a trip without a list of stops has none any more; an answer may omit the list.
    private func lacksStops(_ journey: Journey) -> Bool {
        if let version = journey.trip?.intermediateDestinationsVersion, version != stopsVersion { return true }
        guard let rank = journey.status.rank, rank < 3, !journey.remainingWaypoints.isEmpty else { return false }
        return !journey.remainingWaypoints.contains {
            $0.kind == .intermediateDestination && $0.belongs(to: journey.id.trip)
        }
    }
}

/// What the rules use of the status of a trip's token; without values if nothing is known of the token.
package struct ExaminedToken: Sendable, Equatable {
    /// The number of tokens that the key has had.
    package var generation = 0
    /// The time of issue, in the service's time.
    package var issuedAt: Date?
    /// The expiry, in the service's time.
    package var expiresAt: Date?
    /// Why the latest token is not usable; an older one may still be valid.
    package var fault: Failure?
    /// `tripid` of the last rejected token.
    package var rejectedTrip: String?
    /// `vehicleid` of the last rejected token.
    package var rejectedVehicle: String?
    /// The clock of the token's source minus the local clock.
    package var sourceClockOffset: Duration?

    /// Creates the values of an unknown token.
    package init() {}

    /// Reads the values of a status.
    package init(_ status: TokenStatus) {
        generation = status.generation
        // A recording has no more digits.
        (issuedAt, expiresAt) = (status.issuedAt?.inWholeMicroseconds, status.expiresAt?.inWholeMicroseconds)
        fault = status.lastError?.failure.unusableTokenCause
        rejectedTrip = status.lastRejected?.claims?.tripID
        rejectedVehicle = status.lastRejected?.claims?.vehicleID
        sourceClockOffset = status.sourceClockOffset
    }
}

extension Failure {
    /// Why a token is not usable, if this failure says that it is not.
    var unusableTokenCause: Failure? { code == .tokenUnusable ? cause : nil }
}
