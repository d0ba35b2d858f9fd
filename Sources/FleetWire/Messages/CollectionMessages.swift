package import Foundation
package import TripModel

/// Encodes answers with several resources; default values are omitted.
package enum CollectionCoding {
    /// `google.protobuf.Empty`.
    package static let empty: [UInt8] = Array("{}".utf8)

    /// `SearchTripsResponse`.
    package static func encode(trips: [Trip], nextPageToken: String?) -> [UInt8] {
        struct Message: Encodable {
            var trips: [TripMessage]?
            var nextPageToken: String?
        }
        let messages = trips.map { TripMessage($0, format: .points) }
        return JSONBytes.encode(Message(trips: messages.nonEmpty, nextPageToken: nextPageToken))
    }

    /// `ListVehiclesResponse`; the total is an `int64` and therefore a string in ProtoJSON.
    package static func encode(vehicles: [Vehicle], nextPageToken: String?, total: Int) -> [UInt8] {
        struct Message: Encodable {
            var vehicles: [VehicleMessage]?
            var nextPageToken: String?
            var totalSize: String?
        }
        let messages = vehicles.map(VehicleMessage.init)
        return JSONBytes.encode(
            Message(
                vehicles: messages.nonEmpty,
                nextPageToken: nextPageToken,
                totalSize: total == 0 ? nil : String(total)
            )
        )
    }

    /// `UpdateVehicleAttributesResponse`.
    package static func encode(attributes: [Attribute]) -> [UInt8] {
        struct Message: Encodable {
            var attributes: [AttributeMessage]?
        }
        return JSONBytes.encode(Message(attributes: attributes.nonEmpty?.map { AttributeMessage($0, ofVehicle: true) }))
    }

    /// `SearchVehiclesResponse`.
    package static func encode(matches: [VehicleMatch]) -> [UInt8] {
        struct Message: Encodable {
            var matches: [VehicleMatchMessage]?
        }
        return JSONBytes.encode(Message(matches: matches.map(VehicleMatchMessage.init).nonEmpty))
    }
}

/// A vehicle that could serve a ride.
package struct VehicleMatch: Sendable, Equatable {
    /// The vehicle.
    package var vehicle: Vehicle
    /// The ETA at the pickup.
    package var pickupETA: Date?
    /// The driving distance to the pickup.
    package var pickupDistance: Distance?
    /// The straight-line distance to the pickup.
    package var straightDistance: Distance
    /// The ETA at the drop-off.
    package var dropoffETA: Date?
    /// The driving distance from the pickup to the drop-off.
    package var rideDistance: Distance?
    /// The requested trip type.
    package var tripType: TripType
    /// `EXCLUSIVE`, `BACK_TO_BACK`, `CARPOOL` or `CARPOOL_BACK_TO_BACK`.
    package var kind: String
    /// The requested order, by its API name.
    package var order: String

    /// Creates a match; times and distances may be added.
    package init(vehicle: Vehicle, straightDistance: Distance, tripType: TripType, kind: String, order: String) {
        self.vehicle = vehicle
        self.straightDistance = straightDistance
        self.tripType = tripType
        self.kind = kind
        self.order = order
    }
}

private struct VehicleMatchMessage: Encodable {
    struct Place: Encodable {
        var latLng: LatLngMessage?
        var eta: String?
    }

    var vehicle: VehicleMessage
    var vehiclePickupEta: String?
    var vehiclePickupDistanceMeters: Int32?
    var vehiclePickupStraightLineDistanceMeters: Int32
    var vehicleDropoffEta: String?
    var vehiclePickupToDropoffDistanceMeters: Int32?
    var tripType: String
    var vehicleTripsWaypoints: [Place]?
    var vehicleMatchType: String
    var requestedOrderedBy: String
    var orderedBy: String

    init(_ match: VehicleMatch) {
        vehicle = VehicleMessage(match.vehicle)
        vehiclePickupEta = match.pickupETA.map(Timestamp.text)
        vehiclePickupDistanceMeters = match.pickupDistance?.wholeMeters
        vehiclePickupStraightLineDistanceMeters = match.straightDistance.wholeMeters
        vehicleDropoffEta = match.dropoffETA.map(Timestamp.text)
        vehiclePickupToDropoffDistanceMeters = match.rideDistance?.wholeMeters
        tripType = match.tripType.name
        vehicleTripsWaypoints = match.vehicle.waypoints.nonEmpty?.map {
            Place(latLng: $0.coordinate.map(LatLngMessage.init), eta: $0.eta.map(Timestamp.text))
        }
        vehicleMatchType = match.kind
        requestedOrderedBy = match.order
        orderedBy = match.order
    }
}
