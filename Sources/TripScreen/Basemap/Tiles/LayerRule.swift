/// How the features of a layer are classified.
///
/// The layers are the layers of Protomaps' basemap (`roads`, `kind`) and of OpenMapTiles (`transportation`, `class`).
struct LayerRule: Sendable {
    /// The name of the layer.
    var layer: String
    /// The properties that contain the class; the first known value counts.
    var keys: [String]
    /// The class of each value.
    var values: [String: MapClass]
    /// The class of other values; `nil` omits them.
    var other: MapClass?
    /// Whether the lines repeat the lines of another layer, with names.
    var isNameOnly = false
    /// The properties that contain the importance of a label.
    var rankKeys: [String] = []

    private static let roads: [String: MapClass] = [
        "motorway": .motorway, "motorway_link": .motorway, "highway": .motorway, "trunk": .trunk, "trunk_link": .trunk,
        "primary": .primary, "primary_link": .primary, "major_road": .primary, "secondary": .secondary,
        "secondary_link": .secondary, "medium_road": .secondary, "tertiary": .tertiary, "tertiary_link": .tertiary,
        "residential": .residential, "unclassified": .residential, "living_street": .residential, "road": .residential,
        "minor": .residential, "minor_road": .residential, "busway": .residential, "service": .service,
        "track": .service, "raceway": .service, "alley": .service, "driveway": .service, "parking_aisle": .service,
        "path": .path, "footway": .path, "pedestrian": .path, "steps": .path, "cycleway": .path, "bridleway": .path,
        "sidewalk": .path, "crossing": .path, "corridor": .path, "rail": .rail, "transit": .rail, "subway": .rail,
        "tram": .rail, "light_rail": .rail, "narrow_gauge": .rail, "monorail": .rail, "funicular": .rail,
    ]

    private static let parks: [String: MapClass] = Dictionary(
        uniqueKeysWithValues: [
            "park", "national_park", "nature_reserve", "protected_area", "forest", "wood", "grass", "grassland",
            "meadow", "garden", "cemetery", "golf_course", "recreation_ground", "village_green", "pitch", "playground",
            "scrub", "zoo", "dog_park", "allotments", "orchard", "vineyard",
        ].map { ($0, .park) }
    )

    private static let places: [String: MapClass] = Dictionary(
        uniqueKeysWithValues: [
            "locality", "neighbourhood", "macrohood", "city", "town", "village", "hamlet", "suburb", "quarter",
            "borough",
            "island",
        ].map { ($0, .place) }
    )

    private static let pois: [String: MapClass] = Dictionary(
        uniqueKeysWithValues: [
            "station", "train_station", "railway", "aerodrome", "airport", "bus_station", "ferry_terminal", "hospital",
            "university", "stadium", "museum", "town_hall", "townhall", "castle", "theatre", "zoo",
        ].map { ($0, .poi) }
    )

    static let all: [LayerRule] = [
        LayerRule(layer: "roads", keys: ["kind_detail", "kind"], values: roads),
        LayerRule(layer: "transportation", keys: ["class"], values: roads),
        LayerRule(layer: "transportation_name", keys: ["class"], values: roads, isNameOnly: true),
        LayerRule(layer: "water", keys: [], values: [:], other: .water),
        LayerRule(layer: "waterway", keys: [], values: [:], other: .waterway),
        LayerRule(layer: "landuse", keys: ["kind", "class"], values: parks),
        LayerRule(layer: "landcover", keys: ["class"], values: parks),
        LayerRule(layer: "park", keys: [], values: [:], other: .park),
        LayerRule(layer: "buildings", keys: [], values: [:], other: .building),
        LayerRule(layer: "building", keys: [], values: [:], other: .building),
        LayerRule(layer: "places", keys: ["kind_detail", "kind"], values: places, rankKeys: ["min_zoom"]),
        LayerRule(layer: "place", keys: ["class"], values: places, rankKeys: ["rank"]),
        LayerRule(layer: "pois", keys: ["kind"], values: pois, rankKeys: ["min_zoom"]),
        LayerRule(layer: "poi", keys: ["class"], values: pois, rankKeys: ["rank"]),
    ]

    /// The rule for unknown layers: lines and the edges of areas, all alike.
    static let unknown = LayerRule(layer: "", keys: [], values: [:], other: .other)

    static let byLayer = Dictionary(uniqueKeysWithValues: all.map { ($0.layer, $0) })

    /// Whether the layer contains streets.
    var hasStreets: Bool { !isNameOnly && values.values.contains(where: \.isRoad) }

    /// Returns the class of a feature; `nil` if it is not drawn.
    func kind(_ property: (String) -> String?) -> MapClass? {
        for key in keys {
            if let value = property(key), let kind = values[value] { return kind }
        }
        return other
    }
}
