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

extension Localizer {
    /// Returns `was at 17:01:40`, or `by 17:01:40 at the latest` if an outage hid the time.
    package func happened(at clock: String, isLatest: Bool) -> String {
        self(isLatest ? .atTheLatest(time: clock) : .wasAt(time: clock))
    }
}
