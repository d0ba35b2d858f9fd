import Foundation
import TripModel

/// Any GeoJSON object (RFC 7946) with the properties `class`, `name` and `rank`, and with an `attribution`.
struct GeoJSON: Decodable {
    /// Lines and rings of coordinates.
    enum Shape {
        case lines([[[Double]]])
        case areas([[[[Double]]]])
        case points([[Double]])

        /// The number of coordinates.
        var count: Int {
            switch self {
            case .lines(let lines): lines.reduce(0) { $0 + $1.count }
            case .areas(let areas): areas.joined().reduce(0) { $0 + $1.count }
            case .points(let points): points.count
            }
        }
    }

    /// The properties of a feature that a map uses; properties of other types are ignored.
    struct Properties: Decodable {
        var kind: MapClass?
        var name: String?
        var rank: Int?

        private enum CodingKeys: String, CodingKey {
            case kind = "class"
            case name, rank
        }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: CodingKeys.self)
            // Other programs use the same names for properties of other types.
            kind = (try? object.decodeIfPresent(String.self, forKey: .kind)).flatMap(\.self).flatMap {
                Self.kinds[$0]
            }
            name = (try? object.decodeIfPresent(String.self, forKey: .name)).flatMap(\.self)
            rank = (try? object.decodeIfPresent(Int.self, forKey: .rank)).flatMap(\.self)
        }

        private static let kinds: [String: MapClass] = [
            "motorway": .motorway, "trunk": .trunk, "primary": .primary, "secondary": .secondary,
            "tertiary": .tertiary, "residential": .residential, "service": .service, "path": .path, "rail": .rail,
            "water": .water, "waterway": .waterway, "park": .park, "building": .building, "place": .place, "poi": .poi,
        ]
    }

    var shape: Shape?
    var properties: Properties?
    var parts: [GeoJSON] = []
    /// Who made the data, as plain text; empty if unknown.
    var attribution = ""

    private enum CodingKeys: CodingKey {
        case type, features, geometry, geometries, coordinates, properties, attribution
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        let type = try object.decode(String.self, forKey: .type)
        switch type {
        case "FeatureCollection":
            parts = try object.decode([GeoJSON].self, forKey: .features)
            // Other programs use the same name for other things.
            attribution = Attribution.text(html: (try? object.decode(String.self, forKey: .attribution)) ?? "")
        case "Feature":
            parts = try object.decodeIfPresent(GeoJSON.self, forKey: .geometry).map { [$0] } ?? []
            properties = try object.decodeIfPresent(Properties.self, forKey: .properties)
        case "GeometryCollection": parts = try object.decode([GeoJSON].self, forKey: .geometries)
        case "LineString": shape = .lines([try object.decode([[Double]].self, forKey: .coordinates)])
        case "MultiLineString": shape = .lines(try object.decode([[[Double]]].self, forKey: .coordinates))
        case "Polygon": shape = .areas([try object.decode([[[Double]]].self, forKey: .coordinates)])
        case "MultiPolygon": shape = .areas(try object.decode([[[[Double]]]].self, forKey: .coordinates))
        case "Point": shape = .points([try object.decode([Double].self, forKey: .coordinates)])
        case "MultiPoint": shape = .points(try object.decode([[Double]].self, forKey: .coordinates))
        default: throw BasemapProblem.unknownType(type)
        }
    }

    /// The number of coordinates.
    var count: Int { (shape?.count ?? 0) + parts.reduce(0) { $0 + $1.count } }
}
