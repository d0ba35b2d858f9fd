import Foundation
import TripModel

/// The places of a session by trip: the positions of its vehicle, its stops and its routes.
struct TripTracks {
    /// A position of the vehicle.
    struct Point {
        var coordinate: Coordinate
        /// When it was measured, or else when the service received or answered it.
        var time: Date
        var location: VehicleLocation
        var vehicle: VehicleID?
        var status: JourneyStatus
    }

    /// A place where the vehicle stops.
    struct Stop {
        /// `pickup`, `dropoff`, `stop 1` …, and the same with `actual` for places where it really stopped.
        var name: String
        var coordinate: Coordinate
        var time: Date?
    }

    /// The first route in a status.
    struct PlannedRoute {
        var status: JourneyStatus
        var points: [Coordinate]
    }

    /// The places of one trip.
    struct Track {
        var journey: JourneyID
        var points: [Point] = []
        var stops: [Stop] = []
        var routes: [PlannedRoute] = []
        /// The time of the first observation.
        var start: Date
        /// The last status.
        var status: JourneyStatus
    }

    /// The maximum number of routes per trip.
    private static let mostRoutes = 32

    /// The trips in order of their first appearance.
    private(set) var tracks: [Track] = []
    private var indices: [JourneyID: Int] = [:]

    var isEmpty: Bool { tracks.allSatisfy { $0.points.isEmpty && $0.stops.isEmpty && $0.routes.isEmpty } }

    mutating func handle(_ event: RecordedSession.Event) {
        guard case .observation(let observation) = event else { return }
        let trip = observation.journey
        let index = indices[trip.id] ?? tracks.count
        if index == tracks.count {
            tracks.append(Track(journey: trip.id, start: observation.time, status: trip.status))
            indices[trip.id] = index
        }
        tracks[index].status = trip.status
        tracks[index].stops = Self.stops(of: trip)
        if let points = trip.route?.points, points.count > 1, tracks[index].routes.count < Self.mostRoutes,
            !tracks[index].routes.contains(where: { $0.status == trip.status })
        {
            tracks[index].routes.append(PlannedRoute(status: trip.status, points: points))
        }
        guard let point = Self.point(observation), tracks[index].points.last?.isSame(point) != true else { return }
        tracks[index].points.append(point)
    }

    private static func point(_ observation: RecordedSession.Observation) -> Point? {
        guard let location = observation.journey.lastLocation,
            let coordinate = location.coordinate ?? location.rawCoordinate
        else { return nil }
        return Point(
            coordinate: coordinate,
            time: location.measuredTime ?? location.serverTime ?? observation.time,
            location: location,
            vehicle: observation.journey.vehicleID,
            status: observation.journey.status
        )
    }

    private static func stops(of journey: Journey) -> [Stop] {
        var stops: [Stop] = []
        func add(_ name: String, _ coordinate: Coordinate?, _ time: Date?) {
            if let coordinate { stops.append(Stop(name: name, coordinate: coordinate, time: time)) }
        }
        add("pickup", journey.pickup, journey.pickupTime)
        for (index, stop) in journey.intermediateDestinations.enumerated() { add("stop \(index + 1)", stop, nil) }
        add("dropoff", journey.dropoff, journey.dropoffTime)
        add("actual pickup", journey.actualPickup?.coordinate, journey.actualPickup?.time)
        for (index, stop) in (journey.trip?.actualStops ?? []).enumerated() {
            add("actual stop \(index + 1)", stop.coordinate, stop.time)
        }
        add("actual dropoff", journey.actualDropoff?.coordinate, journey.actualDropoff?.time)
        return stops
    }
}

extension TripTracks.Point {
    /// Whether both are the same measurement; the position of a parked vehicle is measured repeatedly.
    fileprivate func isSame(_ other: Self) -> Bool {
        guard coordinate == other.coordinate else { return false }
        if location.measuredTime == nil, location.serverTime == nil { return true }
        return location.measuredTime == other.location.measuredTime && location.serverTime == other.location.serverTime
    }
}
