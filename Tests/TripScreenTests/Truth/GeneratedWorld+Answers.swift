import Foundation
import TripModel

/// What the service of a generated world answers.
extension GeneratedWorld {
    private static let place = Coordinate(latitude: 0, longitude: 0.1)

    /// Returns the ID of the journey.
    func id() throws -> JourneyID {
        kind == .trip ? .trip(try TripID("t")) : .shipment(try TrackingID("s"))
    }

    /// Returns the answer of a time; `clock` returns a time of the service's clock.
    func answer(at time: Double, clock: (Double) -> Date) throws -> Journey {
        kind == .trip ? .trip(try trip(at: time, clock)) : .shipment(try shipment(at: time, clock))
    }

    private func trip(at time: Double, _ clock: (Double) -> Date) throws -> Trip {
        let (known, id) = (knowledge(at: time), try TripID("t"))
        guard case .trip(let status) = known.status else { throw CocoaError(.featureUnsupported) }
        var trip = Trip(id: id, provider: try ProviderID("p"), status: status)
        (trip.pickup, trip.dropoff) = (Coordinate(latitude: 0, longitude: 0), Self.place)
        let between = Coordinate(latitude: 0, longitude: 0.05)
        if phases.contains(where: { $0.stop == .between }) { trip.intermediateDestinations = [between] }
        trip.lastLocation = location(known, clock)
        if status != .new { trip.vehicleID = try VehicleID("v") }
        trip.pickupTime = (known.expected[.pickup] ?? boarding(before: time)).map(clock)
        trip.dropoffTime = (known.expected[.end] ?? (status == .complete ? end : nil)).map(clock)
        guard !status.isTerminal else { return trip }
        let places: [(Stop, Waypoint.Kind, Coordinate?)] = [
            (.pickup, .pickup, trip.pickup), (.between, .intermediateDestination, between),
            (.end, .dropoff, trip.dropoff),
        ]
        trip.remainingWaypoints = places.compactMap { stop, kind, place in
            guard known.expected[stop] != nil || known.here?.stop == stop else { return nil }
            var waypoint = Waypoint(coordinate: place, tripID: id, kind: kind)
            waypoint.eta = known.expected[stop].map(clock)
            return waypoint
        }
        if let other = others.first, other > time, known.here == nil {
            var waypoint = Waypoint(coordinate: between, tripID: try TripID("u"), kind: .dropoff)
            waypoint.eta = clock(other)
            trip.remainingWaypoints.insert(waypoint, at: 0)
        }
        if known.here == nil { trip.etaToFirstWaypoint = trip.remainingWaypoints.first?.eta }
        return trip
    }

    /// Returns when the rider got in, if that was before a time.
    private func boarding(before time: Double) -> Double? {
        phases.firstIndex { $0.stop == .pickup }.map { phases[$0 + 1] }.flatMap { $0.known <= time ? $0.known : nil }
    }

    private func shipment(at time: Double, _ clock: (Double) -> Date) throws -> TaskTrackingInfo {
        let known = knowledge(at: time)
        let phase = phases.last { $0.known <= time } ?? phases[0]
        guard case .shipment(let status) = known.status else { throw CocoaError(.featureUnsupported) }
        let isClosed = status != .open && phase.stop == nil
        var info = TaskTrackingInfo(
            trackingID: try TrackingID("s"),
            provider: try ProviderID("p"),
            state: isClosed ? .closed : .open
        )
        info.plannedLocation = Self.place
        info.targetTimeWindow = TimeWindow(start: clock(60), end: clock(260))
        if status == .succeeded || status == .failed {
            info.outcome = status == .succeeded ? .succeeded : .failed
            info.outcomeTime = phases.first { $0.status == known.status }.map { clock($0.known) }
        }
        guard !isClosed, let report = reports.last(where: { $0.time <= time }) else { return info }
        let stops = others.count { $0 > time } + 1
        info.vehicleLocation = location(known, clock)
        info.remainingStopCount = stops
        let isThere = phase.stop == .end
        // A vehicle that is already at the place of the recipient may serve a neighbor first.
        info.remainingDistance = Distance(meters: isThere || stops > 1 && hasNeighbor ? 0 : 40)
        if !hidesArrival {
            let arrival = isThere ? self.arrival(at: .end)?.known : report.forecasts[.end]
            info.estimatedArrival = arrival.map(clock)
            info.estimatedCompletion = arrival.map { clock($0 + 60) }
        }
        return info
    }

    private func location(_ known: Knowledge, _ clock: (Double) -> Date) -> VehicleLocation? {
        guard !hidesPosition, !known.status.isTerminal, let report = reports.last(where: { $0.time <= known.time })
        else { return nil }
        let places: [Stop: Double] = [.pickup: 0, .between: 0.05, .end: 0.1]
        // The last report before a stop is from near it.
        let stop = known.here?.stop ?? phases.first { $0.stop != nil && abs($0.begin - report.time) < 12 }?.stop
        let longitude = stop.flatMap { places[$0] } ?? -0.01
        var location = VehicleLocation(coordinate: Coordinate(latitude: 0, longitude: longitude))
        location.serverTime = clock(report.time)
        location.speed = 9
        return location
    }
}
