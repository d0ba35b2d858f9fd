import Foundation
import Runtime
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

    /// The vehicle of another trip.
    struct Other: Sendable, Equatable {
        var place: Point
        /// Degrees clockwise from north; `nil` if unknown.
        var heading: Double?
        /// The trip.
        var name: String
        /// Whether its position is too old to be shown as current.
        var isOld: Bool
    }

    /// The vehicle as it is shown at a time.
    struct Estimate: Sendable, Equatable {
        var place: Point
        /// Degrees clockwise from north; `nil` if unknown.
        var heading: Double?
        /// The estimated way from the last report to the place; empty if there is none.
        var tail: [Point] = []
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

    /// The vehicles of other trips.
    private(set) var others: [Other] = []

    /// The reported positions, oldest first.
    private(set) var reports: [Point] = []

    private var reference: Double?
    private var motion: VehicleMotion?

    /// Creates an empty map.
    init() {}

    /// Creates the map of a trip's state; after the last two reports, the vehicle moves from one to the other.
    init(of state: TripState, _ known: PositionReports = PositionReports()) {
        guard let trip = state.journey else { return }
        let places =
            [trip.lastLocation?.coordinate, trip.pickup, trip.dropoff].compactMap(\.self)
            + (trip.route?.points.prefix(1) ?? [])
        guard let center = places.first(where: \.isValid) else { return }
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
            if trip.isUnderWay { offRoute = way.position?.offRoute }
            motion = VehicleMotion(of: trip, on: way, known)
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

    /// Creates the map of one trip among the vehicles of others; its section is the section of all vehicles.
    ///
    /// The bounds are rounded to a grid, so that they stay while the vehicles move a little.
    init(of own: MapPicture, among others: [Other]) {
        self = own
        self.others = others
        let places = others.map(\.place) + [own.vehicle].compactMap(\.self)
        guard let first = others.first?.place else { return }
        // The length of a degree shrinks with the cosine of the latitude, which is this by the inverse projection.
        if own.isEmpty { unitsPerMeter = cosh(.pi * (1 - 2 * first.y)) / (2 * .pi * Coordinate.earthRadius) }
        let bounds = places.reduce(into: (low: first, high: first)) { bounds, point in
            bounds.low = Point(x: min(bounds.low.x, point.x), y: min(bounds.low.y, point.y))
            bounds.high = Point(x: max(bounds.high.x, point.x), y: max(bounds.high.y, point.y))
        }
        let size = max(bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y, unitsPerMeter * 1000)
        let grid = exp2(log2(size).rounded(.down)) / 8
        corners = [
            Point(x: (bounds.low.x / grid).rounded(.down) * grid, y: (bounds.low.y / grid).rounded(.down) * grid),
            Point(x: (bounds.high.x / grid).rounded(.up) * grid, y: (bounds.high.y / grid).rounded(.up) * grid),
        ]
    }

    /// The maximum number of points of all lines together; longer paths are thinned evenly.
    ///
    /// 50,000 points are one point per 20 m on a path of 1,000 km and take a few milliseconds to prepare.
    static let maximumPoints = 50_000
    /// The maximum number of stops drawn.
    static let maximumStops = 200

    /// Returns where the vehicle is shown at a time of the service; `nil` without a position.
    func estimate(at time: Date) -> Estimate? {
        guard let place = motion?.place(at: time) else { return nil }
        return Estimate(place: project(place.coordinate), heading: place.heading, tail: place.tail.map(project))
    }

    private func project(_ coordinate: Coordinate) -> Point { Point(coordinate, near: reference ?? 0) }

    private mutating func add(_ path: Path, _ points: some Sequence<Coordinate>) {
        let places = points.filter(\.isValid).map(project)
        if places.count > 1 { lines.append(Line(path: path, points: places)) }
    }

    /// Adds the measured path; gaps remain gaps.
    private mutating func addTrail(_ trail: SharedArray<VehicleLocation>) {
        reports = trail.compactMap(\.coordinate).filter(\.isValid).map(project)
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
    private mutating func addMarkers(of journey: Journey) {
        for (index, stop) in journey.intermediateDestinations.prefix(Self.maximumStops).enumerated() {
            mark(.stop, stop, number: journey.intermediateDestinations.count > 1 ? index + 1 : nil)
        }
        mark(.pickup, journey.actualPickup?.coordinate ?? journey.pickup)
        mark(.dropoff, journey.actualDropoff?.coordinate ?? journey.dropoff)
    }

    private mutating func mark(_ kind: Marker.Kind, _ place: Coordinate?, number: Int? = nil) {
        guard let place, place.isValid else { return }
        markers.append(Marker(kind: kind, number: number, place: project(place)))
    }

    /// Whether there is nothing to draw.
    var isEmpty: Bool { markers.isEmpty && vehicle == nil && lines.isEmpty && others.isEmpty }
}
