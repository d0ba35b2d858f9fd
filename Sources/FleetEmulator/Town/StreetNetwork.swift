import Foundation
package import Runtime
package import TripModel

/// Streets that meet at common points, as a graph for a router.
package struct StreetNetwork: Sendable {
    /// A street from one point to the next, in one direction.
    struct Link: Sendable {
        var from: Int
        var to: Int
        /// In meters.
        var length: Double
        /// In meters per second.
        var speed: Double
        /// In degrees clockwise from north.
        var bearing: Double
        /// The link in the other direction; `nil` in a one-way street.
        var opposite: Int?
    }

    /// A place on a link.
    struct Entry: Sendable {
        var link: Int
        /// The part of the link before the place, 0 to 1.
        var fraction: Double
        var place: Coordinate
    }

    /// The speeds of a drive by the class of a street, in meters per second; lines of other classes are not driven on.
    private static let speeds: [String: Double] = [
        "motorway": 30, "trunk": 21, "primary": 15, "secondary": 14, "tertiary": 13, "residential": 11, "service": 7,
    ]
    /// The highest of these speeds.
    static let topSpeed = 30.0

    private(set) var nodes: [Coordinate] = []
    private(set) var links: [Link] = []
    /// The links that begin at each node.
    private(set) var departures: [[Int]] = []
    /// The number of streets at each node.
    private var degrees: [Int] = []
    /// The links that touch each band of latitude, which is ``bandHeight`` degrees high.
    private var bands: [Int: [Int]] = [:]
    /// About 220 m.
    private static let bandHeight = 0.002

    /// A coordinate in units of 1e-7 degrees, so that equal numbers of a file are one point.
    private struct Key: Hashable {
        var latitude: Int
        var longitude: Int
    }

    /// Creates a network from the lines of a GeoJSON feature collection, which have a `class` and may be `oneway`.
    ///
    /// Lines are joined at points that they have in common. Features without a class that is driven on are ignored.
    package init(features: [JSONValue]) {
        var known: [Key: Int] = [:]
        for feature in features {
            guard let speed = feature[path: "properties.class"]?.string.flatMap({ Self.speeds[$0] }),
                feature[path: "geometry.type"]?.string == "LineString",
                case .array(let positions)? = feature[path: "geometry.coordinates"]
            else { continue }
            let isOneWay = feature[path: "properties.oneway"] == .bool(true)
            var last: Int?
            for position in positions {
                guard let place = Coordinate(geoJSON: position) else { continue }
                let key = Key(
                    latitude: Int((place.latitude * 1e7).rounded()),
                    longitude: Int((place.longitude * 1e7).rounded())
                )
                let node = known[key] ?? addNode(place)
                known[key] = node
                if let last, last != node { addStreet(from: last, to: node, speed: speed, isOneWay: isOneWay) }
                last = node
            }
        }
    }

    /// Whether streets meet or end at a node.
    func isJunction(_ node: Int) -> Bool { degrees[node] != 2 }

    private mutating func addNode(_ place: Coordinate) -> Int {
        nodes.append(place)
        departures.append([])
        degrees.append(0)
        return nodes.count - 1
    }

    private mutating func addStreet(from: Int, to: Int, speed: Double, isOneWay: Bool) {
        let length = nodes[from].distance(to: nodes[to]).meters
        let number = links.count
        func add(_ from: Int, _ to: Int, opposite: Int?) {
            let bearing = nodes[from].bearing(to: nodes[to])
            departures[from].append(links.count)
            let bandsOfEnds = [from, to].map { Self.band(of: nodes[$0].latitude) }.sorted()
            for band in bandsOfEnds[0]...bandsOfEnds[1] { bands[band, default: []].append(links.count) }
            links.append(
                Link(from: from, to: to, length: length, speed: speed, bearing: bearing, opposite: opposite)
            )
        }
        add(from, to, opposite: isOneWay ? nil : number + 1)
        if !isOneWay { add(to, from, opposite: number) }
        degrees[from] += 1
        degrees[to] += 1
    }

    // MARK: Places on streets

    /// Returns the place on a street that is nearest to a point; `nil` without a street within some meters.
    package func nearest(to point: Coordinate, within limit: Double = reach) -> Coordinate? {
        entries(at: point, within: limit).first?.place
    }

    /// The distance from a street within which a point can be reached, in meters.
    package static let reach = 1500.0

    private static func band(of latitude: Double) -> Int { Int((latitude / bandHeight).rounded(.down)) }

    /// Returns the nearest place on a street, on each link that has it.
    func entries(at point: Coordinate, within limit: Double = reach) -> [Entry] {
        // Within the limit, a plane is accurate enough: meters north and east of the point.
        let north = Coordinate.earthRadius * .pi / 180
        let east = north * max(0.01, point.parallelScale)
        var found: [Int: (entry: Entry, distance: Double)] = [:]
        var best = limit
        let middle = Self.band(of: point.latitude)
        // From the band of the point to the north and to the south, as far as a link can be as near as the best one.
        var step = 0
        while Double(step - 1) * Self.bandHeight * north <= best + Self.tolerance {
            for band in step == 0 ? [middle] : [middle + step, middle - step] {
                for index in bands[band] ?? [] where found[index] == nil {
                    let link = links[index]
                    let (from, to) = (nodes[link.from], nodes[link.to])
                    let a = (x: (from.longitude - point.longitude) * east, y: (from.latitude - point.latitude) * north)
                    let b = (x: (to.longitude - point.longitude) * east, y: (to.latitude - point.latitude) * north)
                    let reach = best + Self.tolerance
                    guard min(a.x, b.x) <= reach, max(a.x, b.x) >= -reach, min(a.y, b.y) <= reach,
                        max(a.y, b.y) >= -reach
                    else { continue }
                    let (dx, dy) = (b.x - a.x, b.y - a.y)
                    let square = dx * dx + dy * dy
                    let fraction = square > 0 ? min(1, max(0, -(a.x * dx + a.y * dy) / square)) : 0
                    let (x, y) = (a.x + dx * fraction, a.y + dy * fraction)
                    let distance = (x * x + y * y).squareRoot()
                    guard distance <= reach else { continue }
                    best = min(best, distance)
                    let place = from.interpolated(to: to, fraction: fraction)
                    found[index] = (Entry(link: index, fraction: fraction, place: place), distance)
                }
            }
            step += 1
        }
        return found.values.filter { $0.distance <= best + Self.tolerance }.map(\.entry).sorted { $0.link < $1.link }
    }

    /// The links whose distances from a point differ by less are equally near, in meters.
    private static let tolerance = 0.5
}

extension Coordinate {
    /// Reads a position of GeoJSON, which has the longitude first (RFC 7946, section 3.1.1).
    init?(geoJSON value: JSONValue?) {
        guard case .array(let numbers)? = value, numbers.count >= 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
        guard isValid else { return nil }
    }
}

/// A path along streets, with the speed of each of its segments.
package struct StreetPath: Sendable, Equatable {
    /// The points in driving order.
    package private(set) var points: [Coordinate]
    /// The speed from each point to the next in meters per second; one fewer than points.
    package private(set) var speeds: [Double]
    /// The indices of the points at which streets meet.
    package private(set) var junctions: [Int]

    /// Creates a path with one speed, such as one from a file or a straight line.
    package init(_ points: [Coordinate], speed: Double = RidePlan.topSpeed) {
        self.points = points
        speeds = Array(repeating: speed, count: max(0, points.count - 1))
        junctions = []
    }

    /// Appends a straight segment.
    mutating func append(_ point: Coordinate, speed: Double, isJunction: Bool = false) {
        // Two points so close have no direction.
        if let last = points.last, last.distance(to: point).meters < 0.3 { return }
        if !points.isEmpty { speeds.append(speed) }
        points.append(point)
        if isJunction { junctions.append(points.count - 1) }
    }

    /// Appends the last point, or moves the present one there if it is as good as there.
    mutating func end(at point: Coordinate, speed: Double) {
        let count = points.count
        append(point, speed: speed)
        if points.count == count, count > 1 { points[count - 1] = point }
    }

    /// Appends a path that begins where this one ends.
    mutating func append(_ path: StreetPath) {
        guard let first = path.points.first else { return }
        if points.isEmpty { points = [first] }
        let junctions = Set(path.junctions)
        for (index, speed) in path.speeds.enumerated() {
            append(path.points[index + 1], speed: speed, isJunction: junctions.contains(index + 1))
        }
    }
}
