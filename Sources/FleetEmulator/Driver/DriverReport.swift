import FleetEngineProtos
package import FleetTokens
import FleetWire
import Foundation
import Runtime
import SwiftProtobuf
package import TripModel

/// The body of UpdateVehicle, with only the fields that its mask names.
extension VehicleMessage {
    /// The fields that a driver reports, in the order of the mask.
    private static let reported = [
        "vehicleState", "lastLocation", "remainingTimeSeconds", "remainingDistanceMeters", "navigationStatus",
        "currentRouteSegment", "currentRouteSegmentEndPoint", "currentRouteSegmentTraffic",
    ]

    /// Creates the report of a state, and of a position if there is one.
    init(_ state: Maps_Fleetengine_V1_VehicleState, at location: LocationMessage? = nil) {
        self.init()
        vehicleState = state
        if let location { lastLocation = location }
    }

    /// The mask: the fields that are set.
    var mask: FieldMask { FieldMask(Self.reported.filter(setFields.contains)) }
}

/// The body of UpdateDeliveryVehicle for what the app of a driver measures, with only the fields that its mask names.
extension DeliveryVehicleMessage {
    /// The fields that a driver's app measures, in the order of the mask.
    private static let measured = [
        "lastLocation", "navigationStatus", "currentRouteSegment", "currentRouteSegmentEndPoint",
        "remainingDistanceMeters", "remainingDuration",
    ]

    /// Creates the report with the values that a delivery vehicle has, too; some of them have another name or form.
    init(_ report: VehicleMessage) {
        self.init()
        if report.hasLastLocation { lastLocation = DeliveryLocationMessage(report.lastLocation.model) }
        navigationStatus = .init(rawValue: report.navigationStatus.rawValue) ?? .init()
        if let path = S2Polyline.bytes(of: report.currentRouteSegment) { currentRouteSegment = path }
        if report.hasCurrentRouteSegmentEndPoint {
            currentRouteSegmentEndPoint = report.currentRouteSegmentEndPoint.location.point
        }
        if report.hasRemainingDistanceMeters { remainingDistanceMeters = report.remainingDistanceMeters }
        if report.hasRemainingTimeSeconds {
            remainingDuration = Google_Protobuf_Duration(.seconds(report.remainingTimeSeconds.value))
        }
    }

    /// The mask: the fields that are set.
    var mask: FieldMask { FieldMask(Self.measured.filter(setFields.contains)) }
}

extension WaypointMessage {
    /// Creates the end of a route to a destination; the route may end some meters away from it.
    init(_ target: DriverScript.Target, at end: Coordinate) {
        switch target {
        case .trip(let stop): self.init(Waypoint(coordinate: end, tripID: stop.trip, kind: stop.kind))
        case .delivery:
            self.init()
            location = TerminalMessage(end)
        }
    }
}

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
