/// Lists from outside whose numbers of elements are bounded when they are decoded.
package enum ElementKind: String, Sendable, Hashable, CaseIterable {
    /// Waypoints of a trip or of its vehicle.
    case waypoints
    /// Points of all paths together.
    case pathPoints
    /// Stretches of traffic along all paths together.
    case trafficIntervals
    /// Stops on the way, planned and made.
    case stops
    /// The provider's own keys and values.
    case attributes
    /// Positions that a vehicle reports late.
    case pastLocations
    /// Trips of a vehicle, and the kinds of trip that it takes.
    case names
    /// Details of an error.
    case errorDetails
}

/// Elements of an answer that were left out, as there were too many of their kind.
package struct OmittedElements: Sendable, Hashable {
    /// What they are.
    package var kind: ElementKind
    /// How many were left out.
    package var count: Int

    /// So many elements of a kind.
    package init(kind: ElementKind, count: Int) {
        self.kind = kind
        self.count = count
    }
}
