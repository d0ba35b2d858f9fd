import Failures
package import FleetTokens
import Foundation
import Runtime
package import TripModel

/// What happened on a trip, from the first event to the last; without side effects.
///
/// It contains only what was seen. What was not seen, such as the beginning of a trip that was followed from its middle, is
/// `nil`. Times are the service's.
package struct TripReceipt: Sendable, Equatable {
    /// The trip.
    package let trip: JourneyID
    /// The statuses in order of appearance; the first one may have begun earlier.
    package private(set) var statuses: [TripState.StatusChange] = []
    /// The predicted and the actual arrival at the pickup.
    package private(set) var pickup = PromiseRecord()
    /// The predicted and the actual arrival at the drop-off.
    package private(set) var dropoff = PromiseRecord()
    /// The way to the pickup.
    package private(set) var wayToPickup = DrivenLeg()
    /// The way from the pickup to the drop-off.
    package private(set) var wayToDropoff = DrivenLeg()
    /// The number of completed polls.
    package private(set) var polls = 0
    /// The number of failed polls by ``Failures/Failure/nameInJSON``.
    package private(set) var errors: [String: Int] = [:]
    /// The number of received tokens.
    package private(set) var tokens = 0
    /// The number of failed token fetches.
    package private(set) var tokenFailures = 0
    /// The number of tokens that the service refused.
    package private(set) var refusedTokens = 0
    /// The number of findings by rule.
    package private(set) var findings: [FindingRule: Int] = [:]
    /// The number of findings by severity.
    package private(set) var severities: [Finding.Severity: Int] = [:]
    /// When the parts of the trip happened.
    package private(set) var milestones = TripMilestones()
    private var odometer = Odometer()
    /// Whether polls were omitted since the last answer.
    private var hasOmission = false

    /// The maximum number of error codes; further ones are counted under ``FleetTokens/EventOmission/otherCode``.
    static let mostErrors = 32

    /// Creates the receipt of a trip without events.
    package init(_ trip: JourneyID) {
        self.trip = trip
    }

    /// Whether the trip is complete or canceled, or the shipment has an outcome or was closed.
    package var hasEnded: Bool {
        guard let status = statuses.last?.status else { return false }
        return status.isTerminal || status == .failed || status == .closed
    }

    /// The number of failed polls.
    package var failedPolls: Int { errors.values.reduce(0, +) }

    /// The number of tokens that replaced another one.
    package var refreshes: Int { max(0, tokens - 1) }

    /// Returns the number of bytes of the predictions besides those that it shares with another receipt.
    package func unsharedBytes(with other: TripReceipt?) -> Int {
        pickup.unsharedBytes(with: other?.pickup) + dropoff.unsharedBytes(with: other?.dropoff)
    }

    /// Takes an event of the trip.
    package mutating func handle(_ event: FeedEvent) {
        switch event {
        case .polling, .scheduled, .driver, .ended: break
        case .found(_, let new):
            for finding in new {
                findings[finding.rule, default: 0] += 1
                severities[finding.severity, default: 0] += 1
            }
        case .omitted(_, let omission):
            hasOmission = true
            polls += omission.total
            for (code, count) in omission.failures { addError(code, count) }
        case .polled(let report, _, _) where report.failure?.isHeldBack == true:
            // An injected fault kept the request from being sent.
            break
        case .polled(let report, let state, _):
            polls += 1
            if let failure = report.failure {
                addError(failure.nameInJSON, 1)
            } else if let trip = state.journey {
                handle(trip, state)
            }
        }
    }

    /// Takes an event of the trip's token.
    package mutating func handle(_ event: TokenEvent) {
        switch event.kind {
        case .stored: tokens += 1
        case .failed: tokenFailures += 1
        case .rejected: refusedTokens += 1
        case .omitted(let omission):
            tokens += omission.successes
            tokenFailures += omission.failureCount
        case .fetching, .repeated, .discardedLate, .clockDisagreement, .evicted, .closed: break
        }
    }

    private mutating func addError(_ code: String, _ count: Int) {
        let isKept = errors[code] != nil || errors.count < Self.mostErrors
        errors[isKept ? code : EventOmission.otherCode, default: 0] += count
    }

    // MARK: Answers

    private mutating func handle(_ trip: Journey, _ state: TripState) {
        let before = statuses.last?.status
        statuses = state.statuses
        let rank = trip.status.rank ?? 0
        if rank < 2 { pickup.record(state.pickupEstimates) }
        if rank < 5 { dropoff.record(state.dropoffEstimates) }
        milestones = state.milestones
        pickup.actual = milestones.pickupArrival?.known
        dropoff.actual = milestones.finalArrival?.known
        drive(state, after: before)
        hasOmission = false
    }

    private mutating func drive(_ state: TripState, after before: TripStatus?) {
        guard let trip = state.journey else { return }
        let moved = odometer.move(along: state.trail) + odometer.move(to: trip.lastLocation)
        let hasPosition = trip.lastLocation?.coordinate != nil
        func isAfter(_ rank: Int) -> Bool { before.map { ($0.rank ?? 5) < rank } ?? false }
        switch trip.status {
        case .enrouteToPickup, .arrivedAtPickup:
            wayToPickup.record(
                moved: moved,
                hasPosition: hasPosition,
                isSeenFromStart: isAfter(1),
                ahead: trip.status == .enrouteToPickup && !hasOmission ? trip.distance(to: .pickup) : nil
            )
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination, .enrouteToDropoff, .complete, .open,
            .succeeded:
            wayToDropoff.record(
                moved: moved,
                hasPosition: hasPosition,
                isSeenFromStart: isAfter(3),
                ahead: trip.status.isTerminal || hasOmission ? nil : trip.distance(to: .dropoff)
            )
        case .new, .canceled, .failed, .closed, .unrecognized: break
        }
    }

    // MARK: Waits

    /// Returns when a status began; `nil` if it was not seen, or if following began with it.
    private func begin(of status: TripStatus) -> Date? {
        guard let index = statuses.firstIndex(where: { $0.status == status }), index > 0 else { return nil }
        return statuses[index].seen
    }

    /// Returns when the status after another one began; `nil` if there is none.
    private func end(of status: TripStatus) -> Date? {
        guard let index = statuses.firstIndex(where: { $0.status == status }), index + 1 < statuses.count else {
            return nil
        }
        return statuses[index + 1].seen
    }

    /// How long the rider waited for a driver from the first answer on, in seconds.
    package var waitForDriver: Double? {
        guard let first = statuses.first, first.status == .new else { return nil }
        return TripMilestones.span(first.seen, end(of: .new))
    }

    /// How long the vehicle drove to the pickup, in seconds.
    package var waitForVehicle: Double? { TripMilestones.span(begin(of: .enrouteToPickup), pickup.actual) }

    /// How long the vehicle waited at the pickup, in seconds.
    package var waitAtPickup: Double? { milestones.waitAtPickup }

    /// How long the vehicle waited at stops, in seconds; `nil` if it was at none.
    package var waitAtStops: Double? { milestones.waitAtStops }

    /// How long the ride took, from the pickup to the drop-off, in seconds.
    package var rideDuration: Double? { milestones.ride }
}
