package import TripModel

/// The body of CreateTrip and UpdateTrip: the fields that a provider sets.
package struct TripUpdate: Sendable, Equatable {
    /// The status; ignored on create.
    package var status: TripStatus?
    /// The kind of trip.
    package var type: TripType?
    /// The vehicle; `nil` also clears it when the mask names it.
    package var vehicleID: VehicleID?
    /// Where to pick up.
    package var pickup: Coordinate?
    /// Where to drop off.
    package var dropoff: Coordinate?
    /// Riders.
    package var passengers: Int?
    /// Stops on the way.
    package var intermediateDestinations: [Coordinate]?
    /// The stop that the vehicle drives to or stands at.
    package var intermediateDestinationIndex: Int?
    /// The version of the list that the caller knows.
    package var intermediateDestinationsVersion: Version?
    /// All that the vehicle has to visit, in the order in which it will.
    package var vehicleWaypoints: [Waypoint]?
    /// What a provider tells of the ride afterwards.
    package var actualPickup: StopLocation?
    package var actualDropoff: StopLocation?
    package var actualPickupArrival: StopLocation?
    package var actualStopArrivals: [StopLocation] = []
    package var actualStops: [StopLocation] = []
    /// The provider's own keys and values.
    package var attributes: [Attribute]?

    /// A body that sets nothing.
    package init() {}

    /// Reads a body; throws ``WireError``, also for an ID that can't be one and a point that is no place.
    package init(body: [UInt8]) throws(WireError) {
        let normalized = try RequestBody.normalized(body, as: ProtoShape.trip)
        let message = try RequestBody.decode(TripMessage.self, from: normalized)
        status = message.tripStatus.map(TripStatus.init(name:))
        type = message.tripType.map(TripType.init(name:))
        vehicleID = try message.vehicleId.nonEmptyID("vehicleId")
        pickup = try message.pickupPoint.place("pickupPoint")
        dropoff = try message.dropoffPoint.place("dropoffPoint")
        passengers = message.numberOfPassengers.map(Int.init)
        if let stops = message.intermediateDestinations {
            var places: [Coordinate] = []
            for (index, stop) in stops.elements.enumerated() {
                guard let place = try Optional(stop).place("intermediateDestinations[\(index)]") else { continue }
                places.append(place)
            }
            intermediateDestinations = places
        }
        intermediateDestinationIndex = message.intermediateDestinationIndex.map(Int.init)
        intermediateDestinationsVersion = Version(outside: message.intermediateDestinationsVersion)
        vehicleWaypoints = message.vehicleWaypoints?.elements.map(\.waypoint)
        actualPickup = message.actualPickupPoint?.stop
        actualDropoff = message.actualDropoffPoint?.stop
        actualPickupArrival = message.actualPickupArrivalPoint?.stop
        actualStopArrivals = message.actualIntermediateDestinationArrivalPoints?.elements.compactMap(\.stop) ?? []
        actualStops = message.actualIntermediateDestinations?.elements.compactMap(\.stop) ?? []
        attributes = try message.attributes?.elements.checked("attributes")
    }
}

extension TerminalLocationMessage? {
    /// The point of a location that is there.
    func place(_ path: String) throws(WireError) -> Coordinate? {
        guard let self else { return nil }
        guard let coordinate = self.point?.coordinate else {
            throw .unexpected(path: "\(path).point", reason: "not a place on earth")
        }
        return coordinate
    }
}

extension String? {
    /// The vehicle's ID in a field that is there and not empty.
    func nonEmptyID(_ path: String) throws(WireError) -> VehicleID? {
        guard let self, !self.isEmpty else { return nil }
        do {
            return try VehicleID(self)
        } catch {
            throw .unexpected(path: path, reason: "not an ID")
        }
    }
}
