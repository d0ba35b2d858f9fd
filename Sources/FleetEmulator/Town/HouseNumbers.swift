import Runtime
import TripModel

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

    private init(street: String) { self.street = street }

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
