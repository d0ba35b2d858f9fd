package import TripModel

/// The body of CreateTrip and UpdateTrip: the fields that a provider sets.
package struct TripUpdate: Sendable, Equatable {
    /// The status; ignored by CreateTrip.
    package var status: TripStatus?
    /// The trip type.
    package var type: TripType?
    /// The vehicle; `nil` clears it if the mask contains it.
    package var vehicleID: VehicleID?
    /// The pickup.
    package var pickup: Coordinate?
    /// The drop-off.
    package var dropoff: Coordinate?
    /// The number of riders.
    package var passengers: Int?
    /// The intermediate stops.
    package var intermediateDestinations: [Coordinate]?
    /// The stop that the vehicle is driving to or waiting at.
    package var intermediateDestinationIndex: Int?
    /// The version of the list that the caller knows.
    package var intermediateDestinationsVersion: Version?
    /// All remaining waypoints of the vehicle, in order.
    package var vehicleWaypoints: [Waypoint]?
    /// The actual pickup, which a provider may set afterwards.
    package var actualPickup: StopLocation?
    package var actualDropoff: StopLocation?
    package var actualPickupArrival: StopLocation?
    package var actualStopArrivals: [StopLocation] = []
    package var actualStops: [StopLocation] = []
    /// The provider's attributes.
    package var attributes: [Attribute]?

    /// Creates an empty update.
    package init() {}

    /// Parses a body; throws ``WireError``, also for an invalid ID or coordinate.
    package init(body: [UInt8]) throws(WireError) {
        let normalized = try RequestBody.normalized(body, as: ProtoShape.trip)
        let message = try RequestBody.decode(TripMessage.self, from: normalized)
        status = message.tripStatus.map { TripStatus(name: $0.name(in: .tripStatus)) }
        type = message.tripType.map { TripType(name: $0.name(in: .tripType)) }
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
    /// Returns the point of a location that is set.
    func place(_ path: String) throws(WireError) -> Coordinate? {
        guard let self else { return nil }
        guard let coordinate = self.point?.coordinate else {
            throw .unexpected(path: "\(path).point", reason: "not valid coordinates")
        }
        return coordinate
    }
}

extension String? {
    /// Returns the ID of a field that is set and not empty.
    func nonEmptyID<Kind>(_ path: String) throws(WireError) -> ResourceID<Kind>? {
        guard let self, !self.isEmpty else { return nil }
        do {
            return try ResourceID(self)
        } catch {
            throw .unexpected(path: path, reason: "not an ID")
        }
    }
}
