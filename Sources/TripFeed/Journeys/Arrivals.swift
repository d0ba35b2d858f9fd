package import Foundation
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
        /// Whether it is the place of a shipment, the only stop that its recipient sees.
        package var isOfShipment = false
        /// The current estimate of the arrival; `nil` if unknown or no longer expected.
        package var expected: Date?
        /// The first estimate of the arrival; `nil` if unknown.
        package var promised: Date?
        /// When the vehicle arrived; `nil` if it is not at the waypoint.
        package var here: Date?
        /// Whether the vehicle was already there at the first observation, so that ``here`` is later than its arrival.
        package var isHereLonger = false
        /// When the vehicle arrived at the pickup or at the stop of a shipment; `nil` before, if unknown, and for other
        /// waypoints.
        package var reached: Date?
        /// Whether the vehicle may have arrived long before ``arrived``, because an outage hid the arrival.
        package var isLatestArrival = false
        /// When the pickup or drop-off happened; `nil` before.
        package var done: Date?
        /// Whether ``done`` is only the latest possible time, because an outage hid it.
        package var isLatestDone = false

        package var place: Place { Place(kind: kind, number: number) }

        /// When the vehicle arrived, which is what was promised; `nil` before, and if unknown.
        ///
        /// The rider gets in later than the vehicle arrives at the pickup, and a shipment is handed over later.
        package var arrived: Date? { kind == .pickup || isOfShipment ? reached : done }

        /// The delay of the arrival against the first estimate; negative if earlier.
        ///
        /// `nil` if one of the times is unknown, or if the vehicle has arrived and may have been on time.
        package var delay: Duration? {
            guard let promised, let time = arrived ?? expected else { return nil }
            let delay = Duration.seconds(time.timeIntervalSince(promised))
            return arrived != nil && isLatestArrival && delay > .zero ? nil : delay
        }

        /// The ``delay`` as the difference of the times beside it, which are shown rounded down to seconds.
        package var shownDelay: Duration? {
            guard delay != nil, let promised, let time = arrived ?? expected else { return nil }
            func whole(_ time: Date) -> Double { time.timeIntervalSince1970.rounded(.down) }
            return .seconds(whole(time) - whole(promised))
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
        guard let trip = state.journey else { return }
        let pickup = Self.pickup(state, trip)
        var dropoff = Arrival(kind: .dropoff)
        dropoff.promised = state.dropoffEstimates.first?.time
        dropoff.isOfShipment = trip.shipment != nil
        if dropoff.isOfShipment { dropoff.reached = state.milestones.finalArrival?.known }
        dropoff.isLatestArrival = state.milestones.finalArrival?.mayBeEarlier ?? false
        switch trip.status {
        case .trip(.complete), .shipment(.succeeded):
            dropoff.done = state.milestones.dropoff?.known
            dropoff.isLatestDone = state.milestones.dropoff?.isLatest ?? false
        // While the vehicle with a failed shipment is at the stop, the service still shows its arrival.
        case .trip(.canceled), .shipment(.failed), .shipment(.closed): break
        case .trip, .shipment: dropoff.expected = trip.dropoffTime
        }
        if pickup.done != nil, !trip.status.isTerminal { past = pickup }
        let stops = Self.stops(state, trip)
        switch trip.status {
        case .trip(.complete), .trip(.canceled):
            next = pickup
            final = dropoff
        case .shipment(.open):
            next = dropoff
            // The vehicle is there, and the time of its arrival has passed. The sender may hide it.
            guard trip.isAtOwnStop else { return }
            next?.here = trip.etaToFirstWaypoint
            next?.expected = nil
            if next?.here == nil { setHere(since: state.milestones.finalArrival) }
        case .shipment(.succeeded), .shipment(.failed), .shipment(.closed): final = dropoff
        case .trip(.arrivedAtPickup):
            next = pickup
            next?.expected = nil
            setHere(since: state.milestones.pickupArrival)
            between = stops
            final = dropoff
        case .trip(.arrivedAtIntermediateDestination):
            let number = trip.intermediateDestinationIndex + 1
            next = Arrival(kind: .intermediateDestination)
            next?.number = trip.intermediateDestinations.count > 1 ? number : nil
            setHere(since: state.milestones.visits.last?.arrival)
            between = stops.filter { ($0.number ?? 1) > number }
            final = dropoff
        case .trip(.new), .trip(.enrouteToPickup), .trip(.enrouteToIntermediateDestination), .trip(.enrouteToDropoff),
            .trip(.unrecognized), .shipment(.unrecognized):
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

    /// Sets when the vehicle arrived at the next stop.
    private mutating func setHere(since arrival: TripMilestones.Milestone?) {
        next?.here = arrival?.time
        next?.isHereLonger = arrival?.mayBeEarlier ?? false
    }

    /// Returns the remaining own stops between pickup and drop-off.
    private static func stops(_ state: TripState, _ journey: Journey) -> [Arrival] {
        let all = journey.intermediateDestinations.count
        let waypoints = journey.remainingWaypoints.lazy
            .filter { $0.kind == .intermediateDestination && $0.belongs(to: journey.id.trip) }
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

    private static func pickup(_ state: TripState, _ journey: Journey) -> Arrival {
        var pickup = Arrival(kind: .pickup)
        pickup.promised = state.pickupEstimates.first?.time
        let milestones = state.milestones
        pickup.reached = milestones.pickupArrival?.known
        pickup.isLatestArrival = milestones.pickupArrival?.mayBeEarlier ?? false
        if let boarding = milestones.boarding {
            pickup.done = boarding.known
            pickup.isLatestDone = boarding.isLatest
        } else if journey.status != .trip(.canceled) {
            pickup.expected = journey.pickupTime
        }
        return pickup
    }
}
