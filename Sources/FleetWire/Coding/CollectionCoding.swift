import FleetEngineProtos
package import Foundation
import SwiftProtobuf
package import TripModel

/// Encodes answers with several resources; default values are omitted.
package enum CollectionCoding {
    /// `google.protobuf.Empty`.
    package static let empty: [UInt8] = Array("{}".utf8)

    /// `SearchTripsResponse`.
    package static func encode(trips: [Trip], nextPageToken: String?, enums: EnumFormat = .names) -> [UInt8] {
        MessageBytes.encode(enums) { writer in
            var message = Maps_Fleetengine_V1_SearchTripsResponse()
            message.trips = trips.map { writer.trip($0) }
            message.nextPageToken = nextPageToken ?? ""
            return message
        }
    }

    /// `UpdateVehicleAttributesResponse`.
    package static func encode(attributes: [Attribute]) -> [UInt8] {
        MessageBytes.encode { _ in
            Maps_Fleetengine_V1_UpdateVehicleAttributesResponse.with {
                $0.attributes = attributes.map(VehicleAttributeMessage.init)
            }
        }
    }

    /// `SearchVehiclesResponse`.
    package static func encode(matches: [VehicleMatch], enums: EnumFormat = .names) -> [UInt8] {
        MessageBytes.encode(enums) { writer in
            var message = Maps_Fleetengine_V1_SearchVehiclesResponse()
            message.matches = matches.map { writer.match($0) }
            return message
        }
    }
}

/// A vehicle that could serve a ride.
package struct VehicleMatch: Sendable, Equatable {
    /// The vehicle.
    package var vehicle: VehicleMessage
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
}

extension MessageWriter {
    fileprivate mutating func match(_ match: VehicleMatch) -> Maps_Fleetengine_V1_VehicleMatch {
        var message = Maps_Fleetengine_V1_VehicleMatch()
        message.vehicle = match.vehicle
        message.set(\.vehiclePickupEta, match.pickupETA?.timestamp)
        message.set(\.vehiclePickupDistanceMeters, match.pickupDistance.map(Google_Protobuf_Int32Value.init))
        message.vehiclePickupStraightLineDistanceMeters = Google_Protobuf_Int32Value(match.straightDistance)
        message.set(\.vehicleDropoffEta, match.dropoffETA?.timestamp)
        message.set(\.vehiclePickupToDropoffDistanceMeters, match.rideDistance.map(Google_Protobuf_Int32Value.init))
        message.tripType = EnumNames.tripType.value(match.tripType.name, &unknown)
        message.vehicleTripsWaypoints = match.vehicle.waypoints.map { waypoint in
            .with {
                if waypoint.hasLocation { $0.latLng = waypoint.location.point }
                if waypoint.hasEta { $0.eta = waypoint.eta }
            }
        }
        message.vehicleMatchType = EnumNames.matchType.value(match.kind, &unknown)
        message.requestedOrderedBy = EnumNames.matchOrder.value(match.order, &unknown)
        message.orderedBy = message.requestedOrderedBy
        return message
    }
}
