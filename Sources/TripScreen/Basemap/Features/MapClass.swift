/// What a line, an area or a label of a base map is, in drawing order: later ones are drawn above earlier ones.
package enum MapClass: UInt8, Sendable, CaseIterable, Comparable {
    case park, water, building
    /// The edge of a water area.
    case shore
    case waterway, path, service, rail
    /// A line of an unknown class; it is drawn like a residential street.
    case other
    case residential, tertiary, secondary, primary, trunk, motorway
    /// A point of interest.
    case poi
    /// A town or a part of one.
    case place

    package static func < (left: MapClass, right: MapClass) -> Bool { left.rawValue < right.rawValue }

    /// Whether it is a street, a track or a path.
    package var isRoad: Bool {
        switch self {
        case .path, .service, .other, .residential, .tertiary, .secondary, .primary, .trunk, .motorway: true
        case .park, .water, .building, .shore, .waterway, .rail, .poi, .place: false
        }
    }
}
