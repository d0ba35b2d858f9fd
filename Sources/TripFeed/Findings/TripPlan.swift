import TripModel

/// What was ordered: places, stops, passengers and type of a trip, and the time window of a shipment, as last answered.
///
/// An answer may lack any of them; what it lacks stays as it was.
struct TripPlan: Sendable, Equatable {
    private(set) var pickup: Coordinate?
    private(set) var dropoff: Coordinate?
    private(set) var stops: [Coordinate] = []
    private(set) var passengers: Int?
    private(set) var type: TripType?
    private(set) var window: TimeWindow?
    private var stopsVersion: Version?

    /// Records an answer; returns the plan before it.
    mutating func record(_ journey: Journey) -> TripPlan {
        let before = self
        pickup = journey.pickup ?? pickup
        dropoff = journey.dropoff ?? dropoff
        passengers = journey.passengers ?? passengers
        type = journey.type ?? type
        window = journey.shipment?.targetTimeWindow ?? window
        if !journey.intermediateDestinations.isEmpty || stops.isEmpty || lacksStops(journey) {
            stops = journey.intermediateDestinations
            stopsVersion = journey.trip?.intermediateDestinationsVersion
        }
        return before
    }

    /// Returns whether a trip without a list of stops has none any more; an answer may omit the list.
    private func lacksStops(_ journey: Journey) -> Bool {
        if let version = journey.trip?.intermediateDestinationsVersion, version != stopsVersion { return true }
        guard let rank = journey.status.rank, rank < 3, !journey.remainingWaypoints.isEmpty else { return false }
        return !journey.remainingWaypoints.contains {
            $0.kind == .intermediateDestination && $0.belongs(to: journey.id.trip)
        }
    }
}
