import Foundation
import TripFeed
import TripModel

/// What the map draws of a trip, in Mercator units, made once for each answer so that a frame only has to scale it.
package struct MapPicture: Sendable, Equatable {
    /// A point of the Web Mercator square: 0 to 1 from west to east and from north to south.
    ///
    /// East of the date line x goes on above 1, so that a ride across it stays in one piece.
    struct Point: Sendable, Equatable {
        var x: Double
        var y: Double
    }

    /// What a line stands for.
    enum Path: Sendable, Hashable, CaseIterable {
        /// Legs behind the next waypoint.
        case later
        /// The path of the vehicle as measured.
        case trail
        /// The part of the route that lies behind the vehicle.
        case driven
        /// The part that lies ahead.
        case remaining
        /// A stretch ahead with slow traffic.
        case slow
        /// A stretch ahead with a jam.
        case jam
    }

    /// A line.
    struct Line: Sendable, Equatable {
        var path: Path
        var points: [Point]
    }

    /// A place with a name.
    struct Marker: Sendable, Equatable {
        enum Kind: Sendable, Hashable {
            case pickup, dropoff, stop, foreign
        }

        var kind: Kind
        var label: String
        var place: Point
    }

    /// The lines, those drawn first in front.
    private(set) var lines: [Line] = []
    /// The places.
    private(set) var markers: [Marker] = []
    /// Where the vehicle was last seen.
    private(set) var vehicle: Point?
    /// Its heading in degrees clockwise from north.
    private(set) var heading: Double?
    /// The accuracy of its position in metres.
    private(set) var accuracy: Double?
    /// How long a metre is here, in Mercator units.
    private(set) var unitsPerMeter = 1 / 40_075_016.7

    private var reference: Double?

    /// A map with nothing on it.
    init() {}

    /// The map of all that is known of a trip.
    init(of state: TripState) {
        guard let trip = state.trip else { return }
        let known =
            [trip.lastLocation?.coordinate, trip.pickup, trip.dropoff].compactMap(\.self)
            + (trip.route?.points.prefix(1) ?? [])
        guard let center = known.first(where: \.isValid) else { return }
        reference = center.longitude
        unitsPerMeter = 1 / (2 * .pi * Coordinate.earthRadius * max(0.01, center.parallelScale))
        addRoute(of: trip)
        addTrail(state.trail)
        addMarkers(of: trip)
        guard let location = trip.lastLocation, let place = location.coordinate, place.isValid else { return }
        vehicle = project(place)
        heading = location.heading.map(Double.init)
        accuracy = location.accuracy
    }

    private func project(_ coordinate: Coordinate) -> Point {
        let east = (coordinate.longitude - (reference ?? 0)).wrappedLongitude + (reference ?? 0)
        let latitude = min(max(coordinate.latitude, -85), 85) * .pi / 180
        return Point(x: (east + 180) / 360, y: 0.5 - log(tan(.pi / 4 + latitude / 2)) / (2 * .pi))
    }

    private mutating func add(_ path: Path, _ points: some Sequence<Coordinate>) {
        let places = points.filter(\.isValid).map(project)
        if places.count > 1 { lines.append(Line(path: path, points: places)) }
    }

    private mutating func addRoute(of trip: Trip) {
        for waypoint in trip.remainingWaypoints.dropFirst() {
            if let path = waypoint.path { add(.later, path) }
        }
        guard let route = trip.route else { return }
        let position = trip.lastLocation?.coordinate.flatMap { route.nearest(to: $0) }
        guard let position else { return add(.remaining, route.points) }
        let (driven, remaining) = route.split(at: position)
        add(.driven, driven)
        add(.remaining, remaining)
        guard let traffic = trip.traffic else { return }
        let path = traffic.path.map(Route.init) ?? route
        let start = traffic.path == nil ? position : trip.lastLocation?.coordinate.flatMap { path.nearest(to: $0) }
        for interval in traffic.intervals {
            let kind: Path
            switch interval.speed {
            case .slow: kind = .slow
            case .jam: kind = .jam
            case .normal, .unrecognized: continue
            }
            let last = path.points.count - 1
            let first = max(0, interval.start)
            guard first < min(interval.end, last) else { continue }
            var points = Array(path.points[first...min(interval.end, last)])
            if let start, start.offset > path.offsets[first] {
                // Behind the vehicle the traffic does not matter any more.
                guard start.offset < path.offsets[min(interval.end, last)] else { continue }
                points = [start.coordinate] + path.points[(start.segment + 1)...min(interval.end, last)]
            }
            add(kind, points)
        }
    }

    /// Adds the measured path; holes in it stay holes.
    private mutating func addTrail(_ trail: [VehicleLocation]) {
        var piece: [Coordinate] = []
        var before: VehicleLocation?
        for location in trail {
            guard let place = location.coordinate else { continue }
            if let last = before, let lastPlace = last.coordinate {
                let time = location.serverTime ?? location.measuredTime
                let wait = time.flatMap { now in
                    (last.serverTime ?? last.measuredTime).map { now.timeIntervalSince($0) }
                }
                // Three missed reports, or a jump that no car can make between two polls.
                if (wait ?? 0) > 30 && lastPlace.distance(to: place).meters > 100 {
                    add(.trail, piece)
                    piece = []
                }
            }
            piece.append(place)
            before = location
        }
        add(.trail, piece)
    }

    private mutating func addMarkers(of trip: Trip) {
        for waypoint in trip.remainingWaypoints where waypoint.tripID != nil && waypoint.tripID != trip.id {
            mark(.foreign, "other rider", waypoint.coordinate)
        }
        for (index, stop) in trip.intermediateDestinations.enumerated() {
            mark(.stop, trip.intermediateDestinations.count > 1 ? "Stop \(index + 1)" : "Stop", stop)
        }
        mark(.pickup, "Pickup", trip.actualPickup?.coordinate ?? trip.pickup)
        mark(.dropoff, "Drop-off", trip.actualDropoff?.coordinate ?? trip.dropoff)
    }

    private mutating func mark(_ kind: Marker.Kind, _ label: String, _ place: Coordinate?) {
        guard let place, place.isValid else { return }
        markers.append(Marker(kind: kind, label: label, place: project(place)))
    }

    /// All points, for the camera.
    var points: [Point] { lines.flatMap(\.points) + markers.map(\.place) + (vehicle.map { [$0] } ?? []) }

    /// Whether there is nothing to draw.
    var isEmpty: Bool { markers.isEmpty && vehicle == nil && lines.isEmpty }
}
