package import Foundation
package import TripModel

extension Journey {
    /// The ETA at the first remaining waypoint, in either view of the answer.
    package var firstArrival: Date? { etaToFirstWaypoint ?? remainingWaypoints.first?.eta }

    /// The distance to the first remaining waypoint, in either view of the answer.
    package var firstDistance: Distance? { remainingDistance ?? remainingWaypoints.first?.distance }
}
