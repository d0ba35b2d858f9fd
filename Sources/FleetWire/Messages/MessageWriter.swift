import FleetEngineProtos
import SwiftProtobuf
import TripModel

/// The encoding of a path.
package enum PathFormat: Sendable, Hashable {
    /// A list of points (`LAT_LNG_LIST_TYPE`, the default).
    case points
    /// An encoded string (`ENCODED_POLYLINE_TYPE`).
    case encoded
}

/// Converts the types of the model to messages.
struct MessageWriter {
    var format = PathFormat.points
    /// The names of enum values that the schema does not have.
    var unknown = UnknownNames()

    mutating func trip(_ trip: Trip) -> TripMessage {
        var message = TripMessage()
        message.name = ResourceName.trip(trip.provider, trip.id).text
        message.vehicleID = trip.vehicleID?.rawValue ?? ""
        message.tripStatus = EnumNames.tripStatus.value(trip.status.name, &unknown)
        message.tripType = EnumNames.tripType.value(trip.type?.name, &unknown)
        message.numberOfPassengers = Int32(clamping: trip.passengers ?? 0)
        message.set(\.pickupPoint, trip.pickup.map(TerminalMessage.init))
        message.set(\.dropoffPoint, trip.dropoff.map(TerminalMessage.init))
        message.intermediateDestinations = trip.intermediateDestinations.map(TerminalMessage.init)
        message.intermediateDestinationIndex = Int32(clamping: trip.intermediateDestinationIndex)
        message.set(\.intermediateDestinationsVersion, trip.intermediateDestinationsVersion?.timestamp)
        message.set(\.pickupTime, trip.pickupTime?.timestamp)
        message.set(\.dropoffTime, trip.dropoffTime?.timestamp)
        message.set(\.actualPickupPoint, trip.actualPickup.map(StopMessage.init))
        message.set(\.actualDropoffPoint, trip.actualDropoff.map(StopMessage.init))
        message.set(\.actualPickupArrivalPoint, trip.actualPickupArrival.map(StopMessage.init))
        message.actualIntermediateDestinationArrivalPoints = trip.actualStopArrivals.map(StopMessage.init)
        message.actualIntermediateDestinations = trip.actualStops.map(StopMessage.init)
        message.attributes = trip.attributes.map(TripAttributeMessage.init)
        writeWay(of: trip, into: &message)
        if let location = trip.lastLocation { message.lastLocation = self.location(location) }
        message.lastLocationSnappable = trip.lastLocationSnappable
        message.view = EnumNames.view.value(trip.view, &unknown)
        return message
    }

    /// Writes the remaining waypoints, the route, and the traffic.
    private mutating func writeWay(of trip: Trip, into message: inout TripMessage) {
        message.set(\.etaToFirstWaypoint, trip.etaToFirstWaypoint?.timestamp)
        message.set(\.remainingTimeToFirstWaypoint, trip.remainingTime.map(Google_Protobuf_Duration.init))
        message.set(\.remainingDistanceMeters, trip.remainingDistance.map(Google_Protobuf_Int32Value.init))
        message.remainingWaypoints = waypoints(trip.remainingWaypoints)
        message.vehicleWaypoints = waypoints(trip.vehicleWaypoints)
        message.set(\.remainingWaypointsVersion, trip.remainingWaypointsVersion?.timestamp)
        message.set(\.remainingWaypointsRouteVersion, trip.remainingWaypointsRouteVersion?.timestamp)
        switch format {
        case .points: message.route = trip.route?.points.map(LatLngMessage.init) ?? []
        case .encoded: message.currentRouteSegment = trip.route.map { S2Polyline.encode($0.points) } ?? ""
        }
        message.set(\.currentRouteSegmentVersion, trip.routeVersion?.timestamp)
        if let end = trip.routeEnd { message.currentRouteSegmentEndPoint = waypoint(end) }
        if let traffic = trip.traffic { message.currentRouteSegmentTraffic = self.traffic(traffic) }
        message.set(\.currentRouteSegmentTrafficVersion, trip.trafficVersion?.timestamp)
    }
}
