import Foundation
import TripFeed
import TripModel

/// The next stop and the final stop of a trip, with their first and current ETAs.
struct Arrivals: Sendable, Equatable {
    /// Identifies a stop of a trip.
    struct Place: Sendable, Hashable {
        var kind: Waypoint.Kind
        var number: Int?
    }

    /// A stop and its times.
    struct Arrival: Sendable, Equatable {
        /// The kind of the stop.
        var kind: Waypoint.Kind
        /// The number of the stop, starting at 1; `nil` for a single stop and for other places.
        var number: Int?
        /// The ETA; `nil` if unknown or past.
        var expected: Date?
        /// The first ETA.
        var promised: Date?
        /// Since when the vehicle has been at the stop; `nil` if it is not there.
        var here: Date?
        /// Whether the vehicle was already there at the first answer, so that the wait is a minimum.
        var isHereLonger = false
        /// The arrival time, if the trip was canceled at the stop.
        var reached: Date?
        /// When the stop was completed.
        var done: Date?

        var place: Place { Place(kind: kind, number: number) }

        /// Returns the name of the stop at the start of a line.
        func title(_ say: Wording) -> String {
            switch kind {
            case .pickup: say(.pickup)
            case .dropoff: say(.dropoff)
            case .intermediateDestination: number.map { say(.stopNumber, String($0)) } ?? say(.stop)
            case .unrecognized: say(.waypoint)
            }
        }

        /// The text for a vehicle that is at the stop.
        var atPlace: Phrase {
            switch kind {
            case .pickup: .atPickup
            case .dropoff: .atDropoff
            case .intermediateDestination: .atStop
            case .unrecognized: .atWaypoint
            }
        }

        /// The delay from the first ETA; negative if earlier, `nil` if a time is unknown.
        var delay: Duration? {
            guard let promised, let time = done ?? expected else { return nil }
            return .seconds(time.timeIntervalSince(promised))
        }
    }

    /// The next own stop, or the last one after the end of the trip; `nil` if none is known.
    var next: Arrival?
    /// The own stops between the next and the final one, in order, at most ``maximumStops``.
    var between: [Arrival] = []
    /// The final stop; `nil` if it is ``next`` or unknown.
    var final: Arrival?

    /// The pickup after it is completed; `nil` before, and if it is ``next``.
    var past: Arrival?

    /// The maximum number of stops listed.
    static let maximumStops = 100

    /// The stops ahead in order, or all stops after the end of the trip.
    var all: [Arrival] { [next].compactMap(\.self) + between + [final].compactMap(\.self) }

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
        let stops = Self.stops(state, trip)
        switch trip.status {
        case .complete, .canceled:
            next = pickup
            final = dropoff
        case .arrivedAtPickup:
            next = pickup
            next?.expected = nil
            setHere(since: trip.actualPickupArrival?.time, state)
            between = stops
            final = dropoff
        case .arrivedAtIntermediateDestination:
            let number = trip.intermediateDestinationIndex + 1
            let arrivals = trip.actualStopArrivals
            next = Arrival(kind: .intermediateDestination)
            next?.number = trip.intermediateDestinations.count > 1 ? number : nil
            setHere(since: arrivals.indices.contains(number - 1) ? arrivals[number - 1].time : nil, state)
            between = stops.filter { ($0.number ?? 1) > number }
            final = dropoff
        case .new, .enrouteToPickup, .enrouteToIntermediateDestination, .enrouteToDropoff, .unrecognized:
            guard let own = state.nextOwnArrival else {
                final = dropoff
                return
            }
            switch own.kind {
            case .dropoff:
                next = dropoff
                next?.expected = own.arrival?.time ?? dropoff.expected
            case .pickup:
                next = pickup
                next?.expected = own.arrival?.time
                between = stops
                final = dropoff
            case .intermediateDestination:
                next = stops.first ?? Arrival(kind: own.kind)
                if stops.isEmpty, trip.intermediateDestinations.count > 1 {
                    next?.number = trip.intermediateDestinationIndex + 1
                }
                next?.expected = own.arrival?.time
                between = Array(stops.dropFirst())
                final = dropoff
            case .unrecognized:
                next = Arrival(kind: own.kind)
                next?.expected = own.arrival?.time
                between = stops
                final = dropoff
            }
        }
    }

    /// Sets since when the vehicle has been at the next stop: the driver's time, else the first observation.
    private mutating func setHere(since told: Date?, _ state: TripState) {
        next?.here = told ?? state.statuses.last?.seen
        next?.isHereLonger = told == nil && state.statuses.count == 1
    }

    /// Returns the remaining own stops between pickup and drop-off.
    private static func stops(_ state: TripState, _ trip: Trip) -> [Arrival] {
        let all = trip.intermediateDestinations.count
        let waypoints = trip.remainingWaypoints.lazy
            .filter { $0.kind == .intermediateDestination && $0.belongs(to: trip.id) }
        let count = waypoints.count
        func number(_ index: Int) -> Int? { max(all, count) > 1 ? max(all, count) - count + index + 1 : nil }
        return waypoints.prefix(maximumStops).enumerated().map { index, waypoint in
            var stop = Arrival(kind: .intermediateDestination)
            stop.number = number(index)
            stop.expected = waypoint.eta
            stop.promised = waypoint.coordinate.flatMap(state.firstPromise)?.time
            return stop
        }
    }

    private static func pickup(_ state: TripState, _ trip: Trip) -> Arrival {
        var pickup = Arrival(kind: .pickup)
        pickup.promised = state.pickupEstimates.first?.time
        let aboard = state.statuses.first { ($0.status.rank ?? 0) > 2 && !$0.status.isTerminal }
        if let time = trip.actualPickup?.time {
            pickup.done = time
        } else if trip.status == .complete || (trip.status != .canceled && aboard != nil) {
            pickup.done = trip.pickupTime
        } else if trip.status == .canceled {
            pickup.done = aboard?.seen
            pickup.reached =
                trip.actualPickupArrival?.time ?? state.statuses.first { $0.status == .arrivedAtPickup }?.seen
        } else {
            pickup.expected = trip.pickupTime
        }
        return pickup
    }
}
