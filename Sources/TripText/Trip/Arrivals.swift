package import Foundation
package import TripFeed
package import TripModel

/// Where a trip goes next and where it ends, with the first promise beside the present one.
package struct Arrivals: Sendable, Equatable {
    /// What tells a place from the others of a trip.
    package struct Place: Sendable, Hashable {
        package var kind: Waypoint.Kind
        package var number: Int?
    }

    /// One place and its times.
    package struct Arrival: Sendable, Equatable {
        /// What happens there.
        package var kind: Waypoint.Kind
        /// Which of several stops it is, from 1; `nil` for one alone and for other places.
        package var number: Int?
        /// When the vehicle is expected; `nil` where that is not known, or over.
        package var expected: Date?
        /// When it was expected at first.
        package var promised: Date?
        /// Since when the vehicle has been there; `nil` where it is not there.
        package var here: Date?
        /// Whether it was there already when the trip was first seen, so that it has waited for longer.
        package var isHereLonger = false
        /// When the vehicle came there, where the trip was canceled before more happened.
        package var reached: Date?
        /// When it happened.
        package var done: Date?

        package var place: Place { Place(kind: kind, number: number) }

        /// The place as the first word of a line.
        package func title(_ say: Wording) -> String {
            switch kind {
            case .pickup: say(.pickup)
            case .dropoff: say(.dropoff)
            case .intermediateDestination: number.map { say(.stopNumber, String($0)) } ?? say(.stop)
            case .unrecognized: say(.waypoint)
            }
        }

        /// That the vehicle is there.
        package var atPlace: StringKey {
            switch kind {
            case .pickup: .atPickup
            case .dropoff: .atDropoff
            case .intermediateDestination: .atStop
            case .unrecognized: .atWaypoint
            }
        }

        /// How much later than promised; negative where earlier, `nil` where one of the times is not known.
        package var delay: Duration? {
            guard let promised, let time = done ?? expected else { return nil }
            return .seconds(time.timeIntervalSince(promised))
        }
    }

    /// The next own place, or the last one where the trip is over; `nil` where none is known.
    package var next: Arrival?
    /// The own stops between the next place and the end, in order, at most ``maximumStops``.
    package var between: [Arrival] = []
    /// The end of the ride; `nil` where that is ``next``, or not known.
    package var final: Arrival?

    /// The pickup, once it is behind; `nil` before, and where it is ``next``.
    package var past: Arrival?

    /// The most stops that are listed.
    package static let maximumStops = 100

    /// Those that lie ahead, or all once the trip is over, in order.
    package var all: [Arrival] { [next].compactMap(\.self) + between + [final].compactMap(\.self) }

    package init(of state: TripState) {
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
