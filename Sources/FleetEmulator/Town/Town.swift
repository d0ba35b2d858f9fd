import EmbeddedAssets
import Runtime
package import TripModel

/// A town: its streets, and places by their names.
package struct Town: Sendable {
    /// A named place.
    package struct Place: Sendable, Equatable {
        /// The name, such as `Station`.
        package var name: String
        /// Where it is.
        package var coordinate: Coordinate
        /// Its importance; 1 is the highest.
        package var rank: Int
    }

    /// The name; empty for a file without one.
    package let name: String
    /// The streets.
    package let streets: StreetNetwork
    /// The points of interest in the order of the file.
    package let places: [Place]
    /// The streets with houses by their names in lower case.
    private let houses: [String: HouseNumbers]

    /// Reads a town from a GeoJSON feature collection; `nil` if it is none.
    package init?(geoJSON bytes: [UInt8]) {
        guard let file = JSONValue(bytes), case .array(let features)? = file["features"] else { return nil }
        name = file["name"]?.string ?? ""
        streets = StreetNetwork(features: features)
        places = features.compactMap { feature in
            guard feature[path: "properties.class"]?.string == "poi",
                let name = feature[path: "properties.name"]?.string,
                let coordinate = Coordinate(geoJSON: feature[path: "geometry.coordinates"])
            else { return nil }
            let rank = feature[path: "properties.rank"]?.number.flatMap { Int(exactly: $0) } ?? .max
            return Place(name: name, coordinate: coordinate, rank: rank)
        }
        houses = HouseNumbers.streets(of: features)
    }

    /// Returns the place on a street that is nearest to a place with a name, or the place in front of a house; case does not matter.
    ///
    /// - Parameter name: The name of a place, such as `Station`, or an address: a street and a number, such as `Mill Lane 12`.
    /// - Returns: `nil` for an unknown name.
    package func stop(at name: String) -> Coordinate? {
        let name = name.lowercased()
        if let place = places.first(where: { $0.name.lowercased() == name }) {
            return streets.nearest(to: place.coordinate)
        }
        let words = name.split(separator: " ")
        guard let number = words.last.flatMap({ Int($0) }) else { return nil }
        return houses[words.dropLast().joined(separator: " ")]?.door(number)
    }

    /// The addresses of all houses in the order of the street names, and of the numbers in each street.
    package var addresses: [String] {
        houses.values.sorted { $0.street < $1.street }.flatMap { street in
            (1...street.count).map { "\(street.street) \($0)" }
        }
    }

    /// Returns the fastest way through points: along streets where they are near the town, straight elsewhere.
    package func way(through points: [Coordinate]) -> StreetPath {
        var path = StreetPath(Array(points.prefix(1)))
        for (start, end) in zip(points, points.dropFirst()) {
            path.append(streets.path(from: start, to: end) ?? StreetPath([start, end]))
        }
        return path
    }
}

/// The demo town, an invented one in the North Atlantic; `.ci/generate-town` writes its file.
extension Town {
    /// The town of the demo and the emulator.
    package static let demo: Town = Town(geoJSON: demoGeoJSON) ?? Town()

    /// Its map: streets, water, parks and places.
    package static var demoGeoJSON: [UInt8] {
        guard let asset = unsafe embedded_asset_named("Town/town.geojson") else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: asset.pointee.bytes, count: asset.pointee.count))
    }

    /// Returns whether a point is in the demo town or near it.
    package static func isInDemo(_ point: Coordinate) -> Bool {
        demoArea.latitude.contains(point.latitude) && demoArea.longitude.contains(point.longitude)
    }

    /// The area of the demo town and the motorway to the next one, in degrees.
    package static let demoArea = (latitude: 50.9...51.15, longitude: -30.15...(-29.3))

    /// A town without anything.
    private init() { (name, streets, places, houses) = ("", StreetNetwork(features: []), [], [:]) }
}

/// The houses of one street, numbered from its beginning in the file of the town.
struct HouseNumbers: Sendable {
    /// The distance between two doors, in meters.
    private static let distance = 15.0
    /// The classes of streets with houses.
    private static let classes: Set<String> = ["residential", "tertiary", "secondary"]

    /// The name of the street.
    let street: String
    /// The parts of the street, which need not meet.
    private var parts: [Route] = []
    /// The number of houses.
    private(set) var count = 0

    /// Returns the streets with houses by their names in lower case.
    static func streets(of features: [JSONValue]) -> [String: HouseNumbers] {
        var streets: [String: HouseNumbers] = [:]
        for feature in features {
            guard let name = feature[path: "properties.name"]?.string,
                let kind = feature[path: "properties.class"]?.string, classes.contains(kind),
                feature[path: "geometry.type"]?.string == "LineString",
                case .array(let positions)? = feature[path: "geometry.coordinates"]
            else { continue }
            let part = Route(positions.compactMap { Coordinate(geoJSON: $0) })
            streets[name.lowercased(), default: HouseNumbers(street: name)].add(part)
        }
        return streets.filter { $0.value.count > 0 }
    }

    private mutating func add(_ part: Route) {
        parts.append(part)
        count += Self.count(of: part)
    }

    private static func count(of part: Route) -> Int { Int(part.length.meters / distance) }

    /// Returns the place on the street before a house; `nil` for a number that the street does not have.
    func door(_ number: Int) -> Coordinate? {
        guard number > 0 else { return nil }
        var left = number
        for part in parts {
            let count = Self.count(of: part)
            if left <= count { return part.position(at: (Double(left) - 0.5) * Self.distance)?.coordinate }
            left -= count
        }
        return nil
    }
}
