package import TripFeed
import TripModel

extension Arrivals.Arrival {
    /// Returns the name of the waypoint for the start of a line.
    package func title(_ localizer: Localizer) -> String {
        switch kind {
        case .pickup: localizer(.pickup)
        case .dropoff: localizer.about(isOfShipment ? .shipment : .trip)(.dropoff)
        case .intermediateDestination:
            number.map { localizer(.stopNumber(number: String($0))) } ?? localizer(.stop)
        case .unrecognized: localizer(.waypoint)
        }
    }

    /// The text for a vehicle that is at the waypoint.
    package var atPlace: Text {
        switch kind {
        case .pickup: .atPickup
        case .dropoff: .atDropoff
        case .intermediateDestination: .atStop
        case .unrecognized: .atWaypoint
        }
    }
}
