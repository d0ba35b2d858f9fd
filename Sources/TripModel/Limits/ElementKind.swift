/// The kinds of list elements whose number is limited when decoding.
package enum ElementKind: String, Sendable, Hashable, CaseIterable {
    /// Waypoints of a trip or of its vehicle.
    case waypoints
    /// Points of all paths together.
    case pathPoints
    /// Traffic intervals of all paths together.
    case trafficIntervals
    /// Planned and actual intermediate stops.
    case stops
    /// Custom attributes.
    case attributes
    /// Earlier positions that a vehicle reports late.
    case pastLocations
    /// Trips of a vehicle and its supported trip types.
    case names
    /// Details of an error.
    case errorDetails
}

/// The number of elements of one kind that were omitted from an answer because of the limit.
package struct OmittedElements: Sendable, Hashable {
    /// The kind.
    package var kind: ElementKind
    /// The number of omitted elements.
    package var count: Int
}
