import Failures
import Foundation
import Runtime
package import TripModel

/// What happened on a trip, from the first event to the last; without side effects.
///
/// It contains only what was seen. What was not seen, such as the beginning of a trip that was followed from its middle, is
/// `nil`. Times are the service's.
package struct TripReceipt: Sendable, Equatable {
    /// The journey.
    package let journey: JourneyID
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
    /// The completed polls.
    package private(set) var polls = CallCounts()
    /// The tokens.
    package private(set) var tokens = TokenCounts()
    /// Whether polls waited for tokens.
    package private(set) var keys = KeyFacts.Waits()
    /// The findings.
    package private(set) var findings = FindingCounts()
    /// When the parts of the trip happened.
    package private(set) var milestones = TripMilestones()
    private var odometer = Odometer()
    /// Whether polls were omitted since the last answer.
    private var hasOmission = false

    /// Creates the receipt of a trip without events.
    package init(_ id: JourneyID) {
        self.journey = id
    }

    /// Whether the trip is complete or canceled, or the shipment has an outcome or was closed.
    package var hasEnded: Bool {
        guard let status = statuses.last?.status else { return false }
        return status.isTerminal || status == .shipment(.failed) || status == .shipment(.closed)
    }

    /// The number of tokens that replaced another one.
    package var refreshes: Int { max(0, tokens.received - 1) }

    /// Returns the number of bytes of the predictions besides those that it shares with another receipt.
    package func unsharedBytes(with other: TripReceipt?) -> Int {
        pickup.unsharedBytes(with: other?.pickup) + dropoff.unsharedBytes(with: other?.dropoff)
    }

    /// Takes what an event has changed, and the facts after it.
    package mutating func handle(_ changes: [JourneyChange], _ facts: JourneyFacts) {
        (polls, tokens, findings) = (facts.polls, facts.token.counts, facts.findings)
        keys = KeyFacts.Waits(facts.token.keys)
        for change in changes {
            switch change.kind {
            case .answered(let state, let before):
                if let journey = state.journey { handle(journey, state, after: before?.journey?.status) }
            case .omission: hasOmission = true
            default: break
            }
        }
    }

    // MARK: Answers

    private mutating func handle(_ journey: Journey, _ state: TripState, after before: JourneyStatus?) {
        statuses = state.statuses
        let rank = journey.status.rank ?? 0
        if rank < 2 { pickup.record(state.pickupEstimates) }
        if rank < 5 { dropoff.record(state.dropoffEstimates) }
        milestones = state.milestones
        pickup.arrival = milestones.pickupArrival
        dropoff.arrival = milestones.finalArrival
        drive(state, after: before)
        hasOmission = false
    }

    private mutating func drive(_ state: TripState, after before: JourneyStatus?) {
        guard let journey = state.journey else { return }
        let moved = odometer.move(along: state.trail) + odometer.move(to: journey.lastLocation)
        let hasPosition = journey.lastLocation?.coordinate != nil
        func isAfter(_ rank: Int) -> Bool { before.map { ($0.rank ?? 5) < rank } ?? false }
        switch journey.status {
        case .trip(.enrouteToPickup), .trip(.arrivedAtPickup):
            wayToPickup.record(
                moved: moved,
                hasPosition: hasPosition,
                isSeenFromStart: isAfter(1),
                ahead: journey.status == .trip(.enrouteToPickup) && !hasOmission ? journey.distance(to: .pickup) : nil
            )
        case .trip(.enrouteToIntermediateDestination), .trip(.arrivedAtIntermediateDestination),
            .trip(.enrouteToDropoff), .trip(.complete), .shipment(.open), .shipment(.succeeded):
            wayToDropoff.record(
                moved: moved,
                hasPosition: hasPosition,
                isSeenFromStart: isAfter(3),
                ahead: journey.status.isTerminal || hasOmission ? nil : journey.distance(to: .dropoff)
            )
        case .trip(.new), .trip(.canceled), .trip(.unrecognized), .shipment: break
        }
    }

    // MARK: Waits

    /// Returns when a status began; `nil` if it was not seen, if following began with it, or if an outage hid it.
    private func begin(of status: JourneyStatus) -> Date? {
        statuses.first { $0.status == status }?.observation.exact
    }

    /// Returns when the status after another one began; `nil` if there is none, or if an outage hid it.
    private func end(of status: JourneyStatus) -> Date? {
        guard let index = statuses.firstIndex(where: { $0.status == status }), index + 1 < statuses.count else {
            return nil
        }
        return statuses[index + 1].observation.exact
    }

    /// How long the rider waited for a driver from the first answer on, in seconds.
    package var waitForDriver: Double? {
        guard let first = statuses.first, first.status == .trip(.new) else { return nil }
        return TripMilestones.span(first.seen, end(of: .trip(.new)))
    }

    /// How long the vehicle drove to the pickup, in seconds.
    package var waitForVehicle: Double? {
        TripMilestones.span(begin(of: .trip(.enrouteToPickup)), pickup.arrival?.exact)
    }

    /// How long the vehicle waited at the pickup, in seconds.
    package var waitAtPickup: Double? { milestones.waitAtPickup }

    /// How long the vehicle waited at stops, in seconds; `nil` if it was at none.
    package var waitAtStops: Double? { milestones.waitAtStops }

    /// How long the ride took, from the pickup to the drop-off, in seconds.
    package var rideDuration: Double? { milestones.ride }
}
