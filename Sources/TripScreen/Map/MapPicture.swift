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

        init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }

        /// The point of a place, within half a turn of a longitude; beyond 85 degrees as at 85.
        init(_ coordinate: Coordinate, near reference: Double) {
            let east = (coordinate.longitude - reference).wrappedLongitude + reference
            let latitude = min(max(coordinate.latitude, -85), 85) * .pi / 180
            x = (east + 180) / 360
            y = 0.5 - log(tan(.pi / 4 + latitude / 2)) / (2 * .pi)
        }
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
            case pickup, dropoff, stop
        }

        var kind: Kind
        /// Which of several stops it is, from 1; `nil` for one alone and for other places.
        var number: Int?
        var place: Point
    }

    /// Where the vehicle should be by now, and where it heads.
    struct Estimate: Sendable, Equatable {
        var place: Point
        /// Degrees clockwise from north.
        var heading: Double
    }

    /// The way from the last fix to the next waypoint, for an estimate between two fixes.
    private struct Course: Sendable, Equatable {
        var route: Route
        /// The place of the fix on the route, in metres from its start.
        var offset: Double
        /// When the fix was received, and when the vehicle is expected at the end, in the service's time.
        var fixed: Date
        var expected: Date
        /// Whether the end is a stop of another rider, where no estimate may come to rest.
        var endsAtOtherRider: Bool
    }

    /// The lines, disjoint where they are of one kind.
    private(set) var lines: [Line] = []
    /// The worst traffic ahead; `nil` where the way is free, or where that is not known.
    private(set) var traffic: Path?
    /// How far off its route the vehicle is, in metres; `nil` where that is not known.
    private(set) var offRoute: Double?
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

    /// The corners of all that can be seen; none where there is nothing.
    private(set) var corners: [Point] = []

    /// Below this speed, in metres a second, a vehicle stands: in a jam the time of arrival says nothing of where it is.
    private static let standing = 0.5

    private var reference: Double?
    private var course: Course?

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
        let location = trip.lastLocation.flatMap { $0.coordinate?.isValid == true ? $0 : nil }
        let way = RemainingWay(of: trip, from: location?.coordinate, maximumPoints: Self.maximumPoints)
        for (path, points) in way.lines { add(path, points) }
        addTrail(state.trail)
        addMarkers(of: trip)
        traffic = [Path.jam, .slow].first { kind in lines.contains { $0.path == kind } }
        if let location, let place = location.coordinate {
            vehicle = project(place)
            heading = location.heading.map(Double.init)
            accuracy = location.accuracy
            if trip.isUnderWay {
                offRoute = way.position?.offRoute
                setCourse(of: trip, from: location, on: way)
            }
        }
        var all = markers.map(\.place)
        if let vehicle { all.append(vehicle) }
        guard let first = all.first ?? lines.first?.points.first else { return }
        var (low, high) = (first, first)
        for points in lines.map(\.points) + [all] {
            for point in points {
                low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
                high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
            }
        }
        corners = [low, high]
    }

    /// The most points of all lines together; of a longer way every second, third or later point is drawn.
    ///
    /// 50,000 points are a point every 20 m on a way of 1,000 km, and take a few milliseconds to prepare.
    static let maximumPoints = 50_000
    /// The most stops that are drawn.
    static let maximumStops = 200

    /// Stores the way ahead where the vehicle is known to move along the route and to arrive at a time.
    private mutating func setCourse(of trip: Trip, from location: VehicleLocation, on way: RemainingWay) {
        guard let route = way.route, let position = way.position, position.offRoute < 60,
            let fixed = location.serverTime ?? location.measuredTime, let expected = trip.etaToFirstWaypoint,
            expected > fixed, location.speed.map({ $0 >= Self.standing }) ?? true
        else { return }
        course = Course(
            route: route,
            offset: position.offset,
            fixed: fixed,
            expected: expected,
            endsAtOtherRider: (trip.remainingWaypoints.first ?? trip.routeEnd)?.belongs(to: trip.id) == false
        )
    }

    /// Where the vehicle should be at a time of the service: as far along the route as the estimate of its arrival has it,
    /// and at its end from that arrival on, never beyond.
    ///
    /// `nil` within a second of the fix, and where no way is known.
    func estimate(at time: Date) -> Estimate? {
        guard let course, time.timeIntervalSince(course.fixed) >= 1 else { return nil }
        let share = min(
            1,
            time.timeIntervalSince(course.fixed) / course.expected.timeIntervalSince(course.fixed)
        )
        guard share < 1 || !course.endsAtOtherRider else { return nil }
        let offset = course.offset + (course.route.length.meters - course.offset) * share
        guard let place = course.route.position(at: offset) else { return nil }
        let before = course.route.position(at: max(course.offset, offset - 5))?.coordinate
        let heading = before.map { $0.bearing(to: place.coordinate) }
        return Estimate(place: project(place.coordinate), heading: offset > course.offset ? heading ?? 0 : 0)
    }

    private func project(_ coordinate: Coordinate) -> Point { Point(coordinate, near: reference ?? 0) }

    private mutating func add(_ path: Path, _ points: some Sequence<Coordinate>) {
        let places = points.filter(\.isValid).map(project)
        if places.count > 1 { lines.append(Line(path: path, points: places)) }
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

    /// Adds the trip's own places; where other riders get in and out is theirs to know.
    private mutating func addMarkers(of trip: Trip) {
        for (index, stop) in trip.intermediateDestinations.prefix(Self.maximumStops).enumerated() {
            mark(.stop, stop, number: trip.intermediateDestinations.count > 1 ? index + 1 : nil)
        }
        mark(.pickup, trip.actualPickup?.coordinate ?? trip.pickup)
        mark(.dropoff, trip.actualDropoff?.coordinate ?? trip.dropoff)
    }

    private mutating func mark(_ kind: Marker.Kind, _ place: Coordinate?, number: Int? = nil) {
        guard let place, place.isValid else { return }
        markers.append(Marker(kind: kind, number: number, place: project(place)))
    }

    /// Whether there is nothing to draw.
    var isEmpty: Bool { markers.isEmpty && vehicle == nil && lines.isEmpty }
}
