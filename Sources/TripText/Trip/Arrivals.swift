package import Foundation
package import TripFeed
package import TripModel

/// The next arrival of a trip, the following ones and the drop-off, each with its first and its current estimate.
package struct Arrivals: Sendable, Equatable {
    /// The identity of a waypoint within its trip.
    package struct Place: Sendable, Hashable {
        package var kind: Waypoint.Kind
        package var number: Int?
    }

    /// A waypoint and its times.
    package struct Arrival: Sendable, Equatable {
        /// The kind of the waypoint.
        package var kind: Waypoint.Kind
        /// The number among several stops, from 1; `nil` for a single stop and for other kinds.
        package var number: Int?
        /// The current estimate of the arrival; `nil` if unknown or no longer expected.
        package var expected: Date?
        /// The first estimate of the arrival; `nil` if unknown.
        package var promised: Date?
        /// When the vehicle arrived; `nil` if it is not at the waypoint.
        package var here: Date?
        /// Whether the vehicle was already there at the first observation, so that ``here`` is later than its arrival.
        package var isHereLonger = false
        /// When the vehicle arrived; only for the pickup of a canceled trip.
        package var reached: Date?
        /// When the pickup or drop-off happened; `nil` before.
        package var done: Date?

        package var place: Place { Place(kind: kind, number: number) }

        /// Returns the name of the waypoint for the start of a line.
        package func title(_ localizer: Localizer) -> String {
            switch kind {
            case .pickup: localizer(.pickup)
            case .dropoff: localizer(.dropoff)
            case .intermediateDestination: number.map { localizer(.stopNumber, String($0)) } ?? localizer(.stop)
            case .unrecognized: localizer(.waypoint)
            }
        }

        /// The text for a vehicle that is at the waypoint.
        package var atPlace: StringKey {
            switch kind {
            case .pickup: .atPickup
            case .dropoff: .atDropoff
            case .intermediateDestination: .atStop
            case .unrecognized: .atWaypoint
            }
        }

        /// The delay against the first estimate; negative if earlier, `nil` if one of the times is unknown.
        package var delay: Duration? {
            guard let promised, let time = done ?? expected else { return nil }
            return .seconds(time.timeIntervalSince(promised))
        }
    }

    /// The trip's next own waypoint, or the pickup of an ended trip; `nil` if unknown.
    package var next: Arrival?
    /// The trip's own stops between ``next`` and the drop-off, in order, at most ``maximumStops``.
    package var between: [Arrival] = []
    /// The drop-off; `nil` if it is ``next``, or if the trip is unknown.
    package var final: Arrival?

    /// The completed pickup of a trip that has not ended; `nil` otherwise.
    package var past: Arrival?

    /// The maximum number of listed stops.
    package static let maximumStops = 100

    /// The remaining arrivals in order; pickup and drop-off of an ended trip.
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

    /// Sets when the vehicle arrived at the next stop: the driver's time, else the time of the first observation.
    private mutating func setHere(since reported: Date?, _ state: TripState) {
        next?.here = reported ?? state.statuses.last?.seen
        next?.isHereLonger = reported == nil && state.statuses.count == 1
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
