package import Foundation
package import TripModel

/// The answers that hold several things (reference, sections 2.1 and 2.2), each written with its defaults left out.
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

    /// `ListVehiclesResponse`; the total is an `int64`, so a string.
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
    /// When it could be at the pickup.
    package var pickupETA: Date?
    /// Its way there.
    package var pickupDistance: Distance?
    /// The way there as the crow flies.
    package var straightDistance: Distance
    /// When it could be at the drop-off.
    package var dropoffETA: Date?
    /// The way from the pickup to the drop-off.
    package var rideDistance: Distance?
    /// The kind of trip that was asked for.
    package var tripType: TripType
    /// `EXCLUSIVE`, `BACK_TO_BACK`, `CARPOOL` or `CARPOOL_BACK_TO_BACK`.
    package var kind: String
    /// The order that was asked for, as the API names it.
    package var order: String

    /// A match, of which times and ways may follow.
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
