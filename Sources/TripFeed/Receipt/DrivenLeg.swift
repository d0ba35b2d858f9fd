import TripModel

/// The distance of a part of a trip: as driven by the reported positions, and as the service predicted it at its start.
package struct DrivenLeg: Sendable, Equatable {
    /// The length of the driven track in meters; `nil` if its beginning was not seen, or if there was no position.
    package var driven: Double? { isWhole && hasPosition ? meters : nil }
    /// The distance that the service reported at the start in meters; `nil` if that was not seen.
    package private(set) var reported: Double?

    private var meters = 0.0
    private var hasPosition = false
    private var isWhole = false
    private var hasBegun = false

    /// Creates a part that has not begun.
    package init() {}

    /// Records an answer within this part.
    ///
    /// - Parameters:
    ///   - moved: The distance since the last counted position.
    ///   - hasPosition: Whether the vehicle's position is known.
    ///   - isSeenFromStart: Whether an earlier part of the trip was seen, too.
    ///   - ahead: The reported distance to the end of this part.
    mutating func take(moved: Double, hasPosition: Bool, isSeenFromStart: Bool, ahead: Double?) {
        if !hasBegun {
            hasBegun = true
            isWhole = isSeenFromStart
        }
        meters += moved
        if hasPosition { self.hasPosition = true }
        if isWhole, reported == nil { reported = ahead }
    }
}

/// Measures how far a vehicle drives between its reported positions.
struct Odometer: Sendable, Equatable {
    /// Shorter moves are the noise of a stationary device, in meters.
    static let noise = 10.0

    private var last: Coordinate?

    /// Returns the distance in meters since the last counted position.
    mutating func move(to position: Coordinate?) -> Double {
        guard let position else { return 0 }
        guard let last else {
            self.last = position
            return 0
        }
        let meters = last.distance(to: position).meters
        guard meters >= Self.noise else { return 0 }
        self.last = position
        return meters
    }
}

extension Trip {
    /// The distance along the remaining waypoints to this trip's next own stop of a kind, in meters; `nil` if unknown.
    func distance(to kind: Waypoint.Kind) -> Double? {
        guard var meters = remainingDistance?.meters,
            let end = remainingWaypoints.firstIndex(where: { $0.belongs(to: id) && $0.kind == kind })
        else { return nil }
        for waypoint in remainingWaypoints[...end].dropFirst() {
            guard let distance = waypoint.distance else { return nil }
            meters += distance.meters
        }
        return meters
    }
}
