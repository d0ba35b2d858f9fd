import Basemap
import Foundation
import TripFeed
import TripModel

/// The map of a trip in Mercator units, computed once per answer, so that a frame only scales it.
package struct MapPicture: Sendable, Equatable {
    typealias Point = MapPoint

    /// The kind of a line.
    enum Path: Sendable, Hashable, CaseIterable {
        /// Legs after the next waypoint.
        case later
        /// The measured path of the vehicle.
        case trail
        /// The part of the route behind the vehicle.
        case driven
        /// The part of the route ahead.
        case remaining
        /// A part ahead with slow traffic.
        case slow
        /// A part ahead with a traffic jam.
        case jam
    }

    /// A line.
    struct Line: Sendable, Equatable {
        var path: Path
        var points: [Point]
    }

    /// A place with a label.
    struct Marker: Sendable, Equatable {
        enum Kind: Sendable, Hashable {
            case pickup, dropoff, stop
        }

        var kind: Kind
        /// The number of the stop, starting at 1; `nil` for a single stop and for other places.
        var number: Int?
        var place: Point
    }

    /// The estimated current position and heading of the vehicle.
    struct Estimate: Sendable, Equatable {
        var place: Point
        /// Degrees clockwise from north.
        var heading: Double
    }

    /// The path from the last position to the next waypoint, for estimates between two positions.
    private struct Course: Sendable, Equatable {
        var route: Route
        /// The distance of the last position along the route, in meters from its start.
        var offset: Double
        /// When the position was received and the ETA at the end of the path, in the service's time.
        var fixed: Date
        var expected: Date
        /// Whether the path ends at another rider's stop, where the estimate must not stop.
        var endsAtOtherRider: Bool
    }

    /// The lines; lines of the same kind do not overlap.
    private(set) var lines: [Line] = []
    /// The worst traffic ahead; `nil` if there is none or it is unknown.
    private(set) var traffic: Path?
    /// The vehicle's distance from its route in meters; `nil` if unknown.
    private(set) var offRoute: Double?
    /// The markers.
    private(set) var markers: [Marker] = []
    /// The last known position of the vehicle.
    private(set) var vehicle: Point?
    /// Its heading in degrees clockwise from north.
    private(set) var heading: Double?
    /// The accuracy of the position in meters.
    private(set) var accuracy: Double?
    /// Mercator units per meter at this latitude.
    private(set) var unitsPerMeter = 1 / 40_075_016.7

    /// The corners of the bounds of all content; empty if there is none.
    private(set) var corners: [Point] = []

    /// Below this speed in meters per second, the vehicle counts as stationary.
    ///
    /// In a traffic jam, the ETA does not indicate its position.
    private static let standing = 0.5

    private var reference: Double?
    private var course: Course?

    /// Creates an empty map.
    init() {}

    /// Creates the map of a trip's state.
    init(of state: TripState) {
        guard let trip = state.trip else { return }
        let known =
            [trip.lastLocation?.coordinate, trip.pickup, trip.dropoff].compactMap(\.self)
            + (trip.route?.points.prefix(1) ?? [])
        guard let center = known.first(where: \.isValid) else { return }
        reference = center.longitude
        unitsPerMeter = 1 / (2 * .pi * Coordinate.earthRadius * max(0.01, center.parallelScale))
        let location = trip.lastLocation.flatMap { $0.coordinate?.isValid == true ? $0 : nil }
        let way = RemainingRoute(of: trip, from: location?.coordinate, maximumPoints: Self.maximumPoints)
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

    /// The maximum number of points of all lines together; longer paths are thinned evenly.
    ///
    /// 50,000 points are one point per 20 m on a path of 1,000 km and take a few milliseconds to prepare.
    static let maximumPoints = 50_000
    /// The maximum number of stops drawn.
    static let maximumStops = 200

    /// Stores the path ahead if the vehicle is moving along the route and has an ETA.
    private mutating func setCourse(of trip: Trip, from location: VehicleLocation, on way: RemainingRoute) {
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

    /// Returns the estimated position at a time of the service, interpolated along the route by the ETA.
    ///
    /// After the ETA it is the end of the path.
    ///
    /// `nil` within a second of the last position, and without a known path.
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

    /// Adds the measured path; gaps remain gaps.
    private mutating func addTrail(_ trail: SharedArray<VehicleLocation>) {
        var piece: [Coordinate] = []
        var before: VehicleLocation?
        for location in trail {
            guard let place = location.coordinate else { continue }
            if let last = before, let lastPlace = last.coordinate {
                let time = location.serverTime ?? location.measuredTime
                let wait = time.flatMap { now in
                    (last.serverTime ?? last.measuredTime).map { now.timeIntervalSince($0) }
                }
                // Three missed reports, or a jump that is impossible for a car between two polls.
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

    /// Adds markers for the trip's own stops only, because other riders' stops are private.
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
