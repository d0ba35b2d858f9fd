/// A length along the road or over the ground.
package struct Distance: Sendable, Hashable, Comparable {
    /// The length in metres, as Fleet Engine sends it.
    package var meters: Double

    /// A length in metres.
    package init(meters: Double) {
        self.meters = meters
    }

    package static func < (left: Distance, right: Distance) -> Bool { left.meters < right.meters }
}
