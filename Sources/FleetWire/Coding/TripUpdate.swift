import FleetEngineProtos
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
    /// The version of the list that the caller has read.
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
        let message = try RequestBody.decode(TripMessage.self, from: body)
        self = try RequestBody.read { reader throws(WireError) in try TripUpdate(message, &reader) }
    }

    private init(_ message: TripMessage, _ reader: inout MessageReader) throws(WireError) {
        status = EnumNames.tripStatus.nameIfSet(message.tripStatus).map(TripStatus.init(name:))
        type = EnumNames.tripType.nameIfSet(message.tripType).map(TripType.init(name:))
        vehicleID = try message.vehicleID.id("vehicleId")
        pickup = message.hasPickupPoint ? try message.pickupPoint.checked("pickupPoint") : nil
        dropoff = message.hasDropoffPoint ? try message.dropoffPoint.checked("dropoffPoint") : nil
        passengers = message.numberOfPassengers == 0 ? nil : Int(message.numberOfPassengers)
        if let stops = message.intermediateDestinations.nonEmpty {
            var places: [Coordinate] = []
            for (index, stop) in reader.bounded(stops, .stops).enumerated() {
                places.append(try stop.checked("intermediateDestinations[\(index)]"))
            }
            intermediateDestinations = places
        }
        intermediateDestinationIndex = Int(message.intermediateDestinationIndex)
        if message.hasIntermediateDestinationsVersion {
            intermediateDestinationsVersion = message.intermediateDestinationsVersion.version
        }
        vehicleWaypoints = message.vehicleWaypoints.nonEmpty.map { reader.waypoints($0) }
        if message.hasActualPickupPoint { actualPickup = message.actualPickupPoint.stop }
        if message.hasActualDropoffPoint { actualDropoff = message.actualDropoffPoint.stop }
        if message.hasActualPickupArrivalPoint { actualPickupArrival = message.actualPickupArrivalPoint.stop }
        actualStopArrivals = reader.stops(message.actualIntermediateDestinationArrivalPoints)
        actualStops = reader.stops(message.actualIntermediateDestinations)
        attributes =
            message.attributes.isEmpty
            ? nil : try reader.bounded(message.attributes, .attributes).checked("attributes")
    }
}

extension TerminalMessage {
    /// Returns the point of a location in a request.
    func checked(_ path: String) throws(WireError) -> Coordinate {
        guard let coordinate else { throw .unexpected(path: "\(path).point", reason: "not valid coordinates") }
        return coordinate
    }
}

extension String {
    /// Returns the ID in a request, normalized; `nil` if it is empty, which is the same as none.
    func id<Kind>(_ path: String) throws(WireError) -> ResourceID<Kind>? {
        guard !isEmpty else { return nil }
        do {
            return try ResourceID.normalized(self)
        } catch {
            throw .unexpected(path: path, reason: "not an ID")
        }
    }
}
