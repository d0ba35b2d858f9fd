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

    /// Reads a body; throws ``WireError``, also for an ID that can't be one and a point that is no place.
    package init(body: [UInt8]) throws(WireError) {
        let message = try JSONBytes.decode(TripMessage.self, from: body)
        status = message.tripStatus.map(TripStatus.init(name:))
        type = message.tripType.map(TripType.init(name:))
        vehicleID = try message.vehicleId.nonEmptyID("vehicleId")
        pickup = try message.pickupPoint.place("pickupPoint")
        dropoff = try message.dropoffPoint.place("dropoffPoint")
        passengers = message.numberOfPassengers.map(Int.init)
        if let stops = message.intermediateDestinations {
            var places: [Coordinate] = []
            for (index, stop) in stops.enumerated() {
                guard let place = try Optional(stop).place("intermediateDestinations[\(index)]") else { continue }
                places.append(place)
            }
            intermediateDestinations = places
        }
        intermediateDestinationIndex = message.intermediateDestinationIndex.map(Int.init)
        intermediateDestinationsVersion = message.intermediateDestinationsVersion.map(Version.init)
    }
}

extension TerminalLocationMessage? {
    /// The point of a location that is there.
    fileprivate func place(_ path: String) throws(WireError) -> Coordinate? {
        guard let self else { return nil }
        guard let coordinate = self.point?.coordinate else {
            throw .unexpected(path: "\(path).point", reason: "not a place on earth")
        }
        return coordinate
    }
}

extension String? {
    /// The vehicle's ID in a field that is there and not empty.
    fileprivate func nonEmptyID(_ path: String) throws(WireError) -> VehicleID? {
        guard let self, !self.isEmpty else { return nil }
        do {
            return try VehicleID(self)
        } catch {
            throw .unexpected(path: path, reason: "not an ID")
        }
    }
}
