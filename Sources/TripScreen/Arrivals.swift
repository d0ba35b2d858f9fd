import Foundation
import TripFeed
import TripModel

/// Where a trip goes next and where it ends, with the first promise beside the present one.
struct Arrivals: Sendable, Equatable {
    /// One place and its times.
    struct Arrival: Sendable, Equatable {
        /// What happens there.
        var kind: Waypoint.Kind
        /// When the vehicle is expected; `nil` where that is not known, or over.
        var expected: Date?
        /// When it was expected at first.
        var promised: Date?
        /// Since when the vehicle has been there; `nil` where it is not there.
        var here: Date?
        /// When it happened.
        var done: Date?

        /// The place as the first word of a line.
        var title: Phrase {
            switch kind {
            case .pickup: .pickup
            case .dropoff: .dropoff
            case .intermediateDestination: .stop
            case .unrecognized: .waypoint
            }
        }

        /// That the vehicle is there.
        var atPlace: Phrase {
            switch kind {
            case .pickup: .atPickup
            case .dropoff: .atDropoff
            case .intermediateDestination: .atStop
            case .unrecognized: .atWaypoint
            }
        }

        /// How much later than promised; negative where earlier, `nil` where one of the times is not known.
        var delay: Duration? {
            guard let promised, let time = done ?? expected else { return nil }
            return .seconds(time.timeIntervalSince(promised))
        }
    }

    /// The next own place, or the last one where the trip is over; `nil` where none is known.
    var next: Arrival?
    /// The end of the ride; `nil` where that is ``next``, or not known.
    var final: Arrival?

    /// The pickup, once it is behind; `nil` before, and where it is ``next``.
    var past: Arrival?

    /// Those that lie ahead, or all once the trip is over, in order.
    var all: [Arrival] { [next, final].compactMap(\.self) }

    init(of state: TripState) {
        guard let trip = state.trip else { return }
        let pickup = Self.pickup(state, trip)
        var dropoff = Arrival(kind: .dropoff)
        dropoff.promised = state.dropoffEstimates.first?.time
        if trip.status == .complete {
            dropoff.done = trip.actualDropoff?.time ?? trip.dropoffTime
        } else if trip.status != .canceled {
            dropoff.expected = trip.dropoffTime
        }
        if pickup.done != nil, !trip.status.isTerminal { past = pickup }
        switch trip.status {
        case .complete, .canceled:
            next = pickup
            final = dropoff
        case .arrivedAtPickup:
            next = pickup
            next?.here = state.statuses.last?.seen
            next?.expected = nil
            final = dropoff
        case .arrivedAtIntermediateDestination:
            next = Arrival(kind: .intermediateDestination, here: state.statuses.last?.seen)
            final = dropoff
        case .new, .enrouteToPickup, .enrouteToIntermediateDestination, .enrouteToDropoff, .unrecognized:
            guard let own = state.nextOwnArrival else {
                final = dropoff
                return
            }
            if own.kind == .dropoff {
                next = dropoff
                next?.expected = own.arrival?.time ?? dropoff.expected
            } else {
                next = own.kind == .pickup ? pickup : Arrival(kind: own.kind)
                next?.expected = own.arrival?.time
                final = dropoff
            }
        }
    }

    private static func pickup(_ state: TripState, _ trip: Trip) -> Arrival {
        var pickup = Arrival(kind: .pickup)
        pickup.promised = state.pickupEstimates.first?.time
        let wasReached = state.statuses.contains { ($0.status.rank ?? 0) > 2 && $0.status != .canceled }
        if let time = trip.actualPickup?.time {
            pickup.done = time
        } else if trip.status == .complete || (trip.status != .canceled && wasReached) {
            pickup.done = trip.pickupTime
        } else if trip.status != .canceled {
            pickup.expected = trip.pickupTime
        }
        return pickup
    }
}
