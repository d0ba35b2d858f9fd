/// A distance along the road or over the ground.
package struct Distance: Sendable, Hashable, Comparable {
    /// The length in meters, the unit of Fleet Engine.
    package var meters: Double

    /// Creates a length in meters.
    package init(meters: Double) {
        self.meters = meters
    }

    package static func < (left: Distance, right: Distance) -> Bool { left.meters < right.meters }
}
