package import Foundation
import Runtime
package import TripModel

/// When the parts of a trip happened; the only definition of these times for the screen, the receipt, the expectations and
/// the exports.
///
/// The service's own times come first: it sets `pickupTime` and `dropoffTime` by its clock when the status changes, while an
/// actual place has the time of the last position by the device's clock. Without either, it is the time of the first answer
/// that shows the change, up to one poll interval later.
package struct TripMilestones: Sendable, Equatable {
    /// A time and how it is known.
    package struct Milestone: Sendable, Equatable {
        /// The source of a time.
        package enum Source: Sendable, Hashable {
            /// The service or the driver reported it.
            case reported
            /// The first answer that shows it; it happened up to one interval earlier.
            case observed
            /// The first answer after an outage shows it; it happened at any time of the outage.
            case observedLate
            /// The first answer of all shows it; it may have happened long before.
            case before
        }

        /// The service's time.
        package var time: Date
        /// How it is known.
        package var source: Source

        /// The time; `nil` if it happened before the first answer.
        package var known: Date? { source == .before ? nil : time }

        /// Whether it may have happened much earlier.
        package var mayBeEarlier: Bool { source == .before || source == .observedLate }

        /// Whether only the latest possible time is known, because an outage hid it.
        package var isLatest: Bool { source == .observedLate }

        /// The time, up to one interval; `nil` if it may have happened much earlier.
        var exact: Date? { mayBeEarlier ? nil : time }

        /// Returns the delay against a promised time in seconds; negative if earlier.
        ///
        /// `nil` if it is unknown: an outage or the time before the first answer may hide that it was on time.
        package func delay(against promised: Date) -> TimeInterval? {
            guard let known else { return nil }
            let delay = known.timeIntervalSince(promised)
            return mayBeEarlier && delay > 0 ? nil : delay
        }
    }

    /// A wait at one of the trip's stops between pickup and drop-off.
    package struct Visit: Sendable, Equatable {
        /// The index of the stop.
        package let stop: Int
        /// When the vehicle arrived.
        package fileprivate(set) var arrival: Milestone
        /// When it left; `nil` before.
        package fileprivate(set) var departure: Milestone?
    }

    /// When the vehicle arrived at the pickup; `nil` if that was neither reported nor observed.
    package private(set) var pickupArrival: Milestone?
    /// When the rider got in and the vehicle left the pickup; `nil` for a shipment.
    package var boarding: Milestone? { isShipment ? nil : underWay }
    /// When the rider got out and the trip was complete, or the shipment was handed over.
    package private(set) var dropoff: Milestone?
    /// When the vehicle arrived at the end: at the drop-off of a trip, or at the stop of a shipment, whose handing over is
    /// later; `nil` if that was neither reported nor observed.
    package var finalArrival: Milestone? { isShipment ? underWay : dropoff }
    /// The boarding of a trip, or when the vehicle was first seen at the stop of a shipment: one value, so that a state stays small.
    private var underWay: Milestone?
    private var isShipment = false
    /// The waits at stops in order, at most ``mostVisits``.
    package private(set) var visits: [Visit] = []

    /// The time between two answers, in seconds, from which a change in the second one may be much older.
    private static let outage: TimeInterval = 30
    /// The maximum number of stored visits, which bounds the memory of a trip that alternates for hours.
    private static let mostVisits = 100

    /// Creates the milestones of a trip without answers.
    package init() {}

    /// Records an answer; the times of it and of the answer before are the service's.
    package mutating func record(_ journey: Journey, at time: Date, after previous: Date?) {
        let seen = Self.observation(at: time, after: previous)
        switch journey {
        case .trip(let trip): record(trip, seen, at: time)
        case .shipment(let shipment):
            isShipment = true
            if shipment.isAtStop { underWay = underWay ?? seen }
            if shipment.outcome == .succeeded {
                dropoff = Self.past(shipment.outcomeTime, nil, at: time) ?? dropoff ?? seen
            }
        }
    }

    private mutating func record(_ trip: Trip, _ seen: Milestone, at time: Date) {
        if let arrival = trip.actualPickupArrival?.time {
            pickupArrival = Milestone(time: arrival, source: .reported)
        } else if trip.status == .arrivedAtPickup {
            pickupArrival = pickupArrival ?? seen
        }
        if trip.isAboard {
            underWay = Self.past(trip.pickupTime, trip.actualPickup?.time, at: time) ?? underWay ?? seen
        } else if trip.status == .canceled, underWay == nil {
            underWay = Self.past(trip.actualPickup?.time, nil, at: time)
        }
        if trip.status == .complete {
            dropoff = Self.past(trip.dropoffTime, trip.actualDropoff?.time, at: time) ?? dropoff ?? seen
        }
        recordVisits(trip, seen)
    }

    /// Returns a change that the answer of a time shows first, after the answer of another time.
    static func observation(at time: Date, after previous: Date?) -> Milestone {
        guard let previous else { return Milestone(time: time, source: .before) }
        let isLate = time.timeIntervalSince(previous) > outage
        return Milestone(time: time, source: isLate ? .observedLate : .observed)
    }

    /// Returns the first time that is not ahead; a time that is ahead is an estimate that was not replaced.
    private static func past(_ first: Date?, _ second: Date?, at time: Date) -> Milestone? {
        let latest = time + TripState.negligibleOffset.seconds
        return [first, second].lazy.compactMap(\.self).first { $0 <= latest }.map {
            Milestone(time: $0, source: .reported)
        }
    }

    private mutating func recordVisits(_ trip: Trip, _ seen: Milestone) {
        let stop = trip.intermediateDestinationIndex
        let isThere = trip.status == .arrivedAtIntermediateDestination
        if let last = visits.indices.last, visits[last].departure == nil, trip.status.rank != nil,
            !isThere || visits[last].stop != stop
        {
            visits[last].departure = seen
        }
        if isThere, visits.last.map({ $0.departure != nil }) ?? true, visits.count < Self.mostVisits {
            visits.append(Visit(stop: stop, arrival: seen, departure: nil))
        }
        for index in visits.indices {
            let stop = visits[index].stop
            if trip.actualStopArrivals.indices.contains(stop), let time = trip.actualStopArrivals[stop].time {
                visits[index].arrival = Milestone(time: time, source: .reported)
            }
            if visits[index].departure != nil, trip.actualStops.indices.contains(stop),
                let time = trip.actualStops[stop].time
            {
                visits[index].departure = Milestone(time: time, source: .reported)
            }
        }
    }

    // MARK: Durations

    /// How long the vehicle waited at the pickup, in seconds; `nil` if one of the times is unknown, hidden by an outage, or
    /// contradicts the other.
    package var waitAtPickup: Double? { Self.span(pickupArrival?.exact, boarding?.exact) }

    /// How long the vehicle waited at stops so far, in seconds; `nil` if it was at none, or if a wait is unknown.
    package var waitAtStops: Double? {
        let waits = visits.filter { $0.departure != nil }.map { Self.span($0.arrival.exact, $0.departure?.exact) }
        guard !waits.isEmpty, waits.allSatisfy({ $0 != nil }) else { return nil }
        return waits.reduce(0) { $0 + ($1 ?? 0) }
    }

    /// How long the ride took, from the pickup to the drop-off, in seconds.
    package var ride: Double? { Self.span(boarding?.exact, dropoff?.exact) }

    static func span(_ start: Date?, _ end: Date?) -> Double? {
        guard let start, let end, end >= start else { return nil }
        return end.timeIntervalSince(start)
    }
}

extension Trip {
    /// Whether the rider is or was in the vehicle according to the status.
    fileprivate var isAboard: Bool { status != .canceled && (status.rank ?? 0) > 2 }
}
