import Runtime
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
    mutating func record(moved: Double, hasPosition: Bool, isSeenFromStart: Bool, ahead: Double?) {
        let isFirst = !hasBegun
        if isFirst {
            hasBegun = true
            isWhole = isSeenFromStart
        }
        meters += moved
        if hasPosition { self.hasPosition = true }
        // Later distances are shorter.
        if isWhole, isFirst { reported = ahead }
    }
}

/// Measures how far a vehicle drives between its reported positions.
struct Odometer: Sendable, Equatable {
    /// Shorter moves are the noise of a stationary device, in meters.
    static let noise = 10.0

    /// The last counted position.
    private var counted: Coordinate?
    /// The last position of the trail.
    private var last: VehicleLocation?

    /// Returns the distance in meters along the positions that are newer than the last one, from the last counted one on.
    mutating func move(along trail: SharedArray<VehicleLocation>) -> Double {
        // The last one is nearly always the last but one; the general search costs ten times as much for these two steps.
        var start = trail.count
        while start > 0, trail[start - 1] != last { start -= 1 }
        var meters = 0.0
        for index in start..<trail.count { meters += move(to: trail[index]) }
        last = trail.last
        return meters
    }

    /// Returns the distance in meters since the last counted position; 0 for noise.
    mutating func move(to location: VehicleLocation?) -> Double {
        guard let position = location?.coordinate else { return 0 }
        guard let from = counted else {
            counted = position
            return 0
        }
        let meters = from.distance(to: position).meters
        guard meters >= Self.noise else { return 0 }
        counted = position
        return meters
    }
}

extension Journey {
    /// The distance along the remaining waypoints to this trip's next own stop of a kind, in meters; `nil` if unknown.
    func distance(to kind: Waypoint.Kind) -> Double? {
        guard var meters = remainingDistance?.meters,
            let end = remainingWaypoints.firstIndex(where: { $0.belongs(to: id.trip) && $0.kind == kind })
        else { return nil }
        for waypoint in remainingWaypoints[...end].dropFirst() {
            guard let distance = waypoint.distance else { return nil }
            meters += distance.meters
        }
        return meters
    }
}
