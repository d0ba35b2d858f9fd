package import TripModel

/// JSON encoding of a trip.
package enum TripCoding {
    /// Decodes an answer to GetTrip or UpdateTrip.
    ///
    /// Unknown fields and unknown enum names are kept, because the service may add some at any time. Lists are limited by
    /// ``ElementLimits``; ``Trip/omitted`` counts the rest. Throws ``WireError``.
    package static func decode(_ body: [UInt8]) throws(WireError) -> Trip {
        let budget = ElementBudget()
        let answer = try JSONBytes.decode(TripAnswerMessage.self, from: body, within: budget)
        var trip = try answer.message.trip()
        trip.unknownFields = answer.unknownFields
        trip.omitted = budget.omitted
        return trip
    }

    /// Encodes an answer; default values are omitted.
    package static func encode(_ trip: Trip, format: PathFormat = .points) -> [UInt8] {
        JSONBytes.encode(TripMessage(trip, format: format))
    }
}

/// The message `maps.fleetengine.v1.Trip` with the fields used here.
struct TripMessage: Codable, Equatable {
    var name: String?
    var vehicleId: String?
    var tripStatus: EnumName?
    var tripType: EnumName?
    var numberOfPassengers: Int32?
    var pickupPoint: TerminalLocationMessage?
    var dropoffPoint: TerminalLocationMessage?
    var intermediateDestinations: BoundedList<TerminalLocationMessage>?
    var intermediateDestinationIndex: Int32?
    var intermediateDestinationsVersion: String?
    var pickupTime: String?
    var dropoffTime: String?
    var actualPickupPoint: StopLocationMessage?
    var actualDropoffPoint: StopLocationMessage?
    var actualPickupArrivalPoint: StopLocationMessage?
    var actualIntermediateDestinationArrivalPoints: BoundedList<StopLocationMessage>?
    var actualIntermediateDestinations: BoundedList<StopLocationMessage>?
    var attributes: BoundedList<AttributeMessage>?
    var etaToFirstWaypoint: String?
    var remainingTimeToFirstWaypoint: String?
    var remainingDistanceMeters: Int32?
    var remainingWaypoints: BoundedList<WaypointMessage>?
    var remainingWaypointsVersion: String?
    var remainingWaypointsRouteVersion: String?
    var vehicleWaypoints: BoundedList<WaypointMessage>?
    var route: BoundedList<LatLngMessage>?
    var currentRouteSegment: EncodedPath?
    var currentRouteSegmentVersion: String?
    var currentRouteSegmentEndPoint: WaypointMessage?
    var currentRouteSegmentTraffic: TrafficMessage?
    var currentRouteSegmentTrafficVersion: String?
    var lastLocation: LocationMessage?
    var lastLocationSnappable: Bool?
    var view: EnumName?

    init(_ trip: Trip, format: PathFormat) {
        name = ResourceName.trip(trip.provider, trip.id).text
        vehicleId = trip.vehicleID?.rawValue
        tripStatus = trip.status.name == "UNKNOWN_TRIP_STATUS" ? nil : EnumName(trip.status.name)
        tripType = (trip.type?.name).map(EnumName.init)
        numberOfPassengers = trip.passengers == 0 ? nil : trip.passengers.map(Int32.init(clamping:))
        pickupPoint = trip.pickup.map(TerminalLocationMessage.init)
        dropoffPoint = trip.dropoff.map(TerminalLocationMessage.init)
        intermediateDestinations = trip.intermediateDestinations.bounded(TerminalLocationMessage.init)
        intermediateDestinationIndex =
            trip.intermediateDestinationIndex == 0 ? nil : Int32(clamping: trip.intermediateDestinationIndex)
        intermediateDestinationsVersion = trip.intermediateDestinationsVersion?.rawValue
        pickupTime = trip.pickupTime.map(Timestamp.text)
        dropoffTime = trip.dropoffTime.map(Timestamp.text)
        actualPickupPoint = trip.actualPickup.map(StopLocationMessage.init)
        actualDropoffPoint = trip.actualDropoff.map(StopLocationMessage.init)
        actualPickupArrivalPoint = trip.actualPickupArrival.map(StopLocationMessage.init)
        actualIntermediateDestinationArrivalPoints = trip.actualStopArrivals.bounded(StopLocationMessage.init)
        actualIntermediateDestinations = trip.actualStops.bounded(StopLocationMessage.init)
        attributes = trip.attributes.bounded { AttributeMessage($0, ofVehicle: false) }
        etaToFirstWaypoint = trip.etaToFirstWaypoint.map(Timestamp.text)
        remainingTimeToFirstWaypoint = trip.remainingTime.map(DurationText.text)
        remainingDistanceMeters = trip.remainingDistance?.wholeMeters
        remainingWaypoints = trip.remainingWaypoints.bounded { WaypointMessage($0, format: format) }
        remainingWaypointsVersion = trip.remainingWaypointsVersion?.rawValue
        remainingWaypointsRouteVersion = trip.remainingWaypointsRouteVersion?.rawValue
        vehicleWaypoints = trip.vehicleWaypoints.bounded { WaypointMessage($0, format: format) }
        switch format {
        case .points: route = trip.route?.points.bounded(LatLngMessage.init)
        case .encoded: currentRouteSegment = trip.route.map { EncodedPath($0.points) }
        }
        currentRouteSegmentVersion = trip.routeVersion?.rawValue
        currentRouteSegmentEndPoint = trip.routeEnd.map { WaypointMessage($0, format: format) }
        currentRouteSegmentTraffic = trip.traffic.map(TrafficMessage.init)
        currentRouteSegmentTrafficVersion = trip.trafficVersion?.rawValue
        lastLocation = trip.lastLocation.map(LocationMessage.init)
        lastLocationSnappable = trip.lastLocationSnappable ? true : nil
        view = trip.view.map(EnumName.init)
    }

    func trip() throws(WireError) -> Trip {
        guard let name else { throw .unexpected(path: "name", reason: "missing") }
        guard case .trip(let provider, let id) = try ResourceName(name) else { throw .badName(name.bounded(to: 200)) }
        var trip = Trip(
            id: id,
            provider: provider,
            status: TripStatus(name: tripStatus?.name(in: .tripStatus) ?? "UNKNOWN_TRIP_STATUS")
        )
        trip.type = tripType.map { TripType(name: $0.name(in: .tripType)) }
        // An invalid ID counts as unknown.
        trip.vehicleID = vehicleId.flatMap { try? VehicleID($0) }
        trip.passengers = numberOfPassengers.map(Int.init)
        trip.pickup = pickupPoint?.point?.coordinate
        trip.dropoff = dropoffPoint?.point?.coordinate
        trip.intermediateDestinations = intermediateDestinations?.elements.compactMap { $0.point?.coordinate } ?? []
        trip.intermediateDestinationIndex = Int(max(0, intermediateDestinationIndex ?? 0))
        trip.intermediateDestinationsVersion = Version(outside: intermediateDestinationsVersion)
        trip.pickupTime = pickupTime.flatMap(Timestamp.date)
        trip.dropoffTime = dropoffTime.flatMap(Timestamp.date)
        trip.actualPickup = actualPickupPoint?.stop
        trip.actualDropoff = actualDropoffPoint?.stop
        trip.actualPickupArrival = actualPickupArrivalPoint?.stop
        trip.actualStopArrivals = actualIntermediateDestinationArrivalPoints?.elements.compactMap(\.stop) ?? []
        trip.actualStops = actualIntermediateDestinations?.elements.compactMap(\.stop) ?? []
        trip.attributes = attributes?.elements.compactMap(\.attribute) ?? []
        trip.vehicleWaypoints = vehicleWaypoints?.elements.map(\.waypoint) ?? []
        trip.etaToFirstWaypoint = etaToFirstWaypoint.flatMap(Timestamp.date)
        trip.remainingTime = remainingTimeToFirstWaypoint.flatMap(DurationText.duration)
        trip.remainingDistance = remainingDistanceMeters.map { Distance(meters: Double($0)) }
        trip.remainingWaypoints = remainingWaypoints?.elements.map(\.waypoint) ?? []
        trip.remainingWaypointsVersion = Version(outside: remainingWaypointsVersion)
        trip.remainingWaypointsRouteVersion = Version(outside: remainingWaypointsRouteVersion)
        let points = route?.elements.compactMap(\.coordinate) ?? currentRouteSegment?.points
        trip.route = points.map { Route($0) }
        trip.routeVersion = Version(outside: currentRouteSegmentVersion)
        trip.routeEnd = currentRouteSegmentEndPoint?.waypoint
        trip.traffic = currentRouteSegmentTraffic?.traffic
        trip.trafficVersion = Version(outside: currentRouteSegmentTrafficVersion)
        trip.lastLocation = lastLocation?.vehicleLocation
        trip.lastLocationSnappable = lastLocationSnappable ?? false
        trip.view = view?.name(in: .view).boundedName
        return trip
    }
}

extension Version {
    /// Creates the version in an answer; `nil` if it is missing or too long for a timestamp.
    init?(outside text: String?) {
        guard let text, text.utf8.count <= 100 else { return nil }
        self.init(text)
    }
}

extension Array {
    /// Returns the list for a message; `nil` if it is empty.
    func bounded<Message: BoundedElement>(_ message: (Element) -> Message) -> BoundedList<Message>? {
        isEmpty ? nil : BoundedList(map(message))
    }

    /// The list; `nil` if it is empty, because empty lists are not encoded.
    var nonEmpty: Self? { isEmpty ? nil : self }
}
