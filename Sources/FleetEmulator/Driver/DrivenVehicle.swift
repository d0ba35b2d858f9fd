package import FleetTokens
import Runtime
package import TripModel

/// A vehicle with a driver: of the service for trips, or of the service for deliveries.
package enum DrivenVehicle: Hashable, Sendable {
    case ofTrips(VehicleID)
    case ofDeliveries(DeliveryVehicleID)

    /// The ID without its kind.
    package var id: String {
        switch self {
        case .ofTrips(let vehicle): vehicle.rawValue
        case .ofDeliveries(let vehicle): vehicle.rawValue
        }
    }

    /// The collection and the percent-encoded ID, as in the paths of the control API.
    package var controlName: String {
        switch self {
        case .ofTrips: "vehicles/\(PercentEncoding.encode(id))"
        case .ofDeliveries: "deliveryVehicles/\(PercentEncoding.encode(id))"
        }
    }

    /// The vehicle if it serves trips.
    package var ofTrips: VehicleID? {
        if case .ofTrips(let vehicle) = self { vehicle } else { nil }
    }

    /// The vehicle if it serves deliveries.
    package var ofDeliveries: DeliveryVehicleID? {
        if case .ofDeliveries(let vehicle) = self { vehicle } else { nil }
    }

    /// The subject of its driver's token.
    package var context: AuthorizationContext {
        switch self {
        case .ofTrips(let vehicle): .vehicle(vehicle)
        case .ofDeliveries(let vehicle): .deliveryVehicle(vehicle)
        }
    }
}
