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
    mutating func record(_ trip: Journey) -> TripPlan {
        let before = self
        pickup = trip.pickup ?? pickup
        dropoff = trip.dropoff ?? dropoff
        passengers = trip.passengers ?? passengers
        type = trip.type ?? type
        window = trip.shipment?.targetTimeWindow ?? window
        if !trip.intermediateDestinations.isEmpty || stops.isEmpty || lacksStops(trip) {
            stops = trip.intermediateDestinations
            stopsVersion = trip.trip?.intermediateDestinationsVersion
        }
        return before
    }

    /// Returns whether a trip without a list of stops has none any more; an answer may omit the list.
    private func lacksStops(_ trip: Journey) -> Bool {
        if let version = trip.trip?.intermediateDestinationsVersion, version != stopsVersion { return true }
        guard let rank = trip.status.rank, rank < 3, !trip.remainingWaypoints.isEmpty else { return false }
        return !trip.remainingWaypoints.contains { $0.kind == .intermediateDestination && $0.belongs(to: trip.id.trip) }
    }
}
