import FleetEmulator
import FleetTokens
import TripModel

extension ReadyFile {
    /// The announced trips and shipments.
    var journeys: [JourneyName] {
        // The emulator wrote the IDs, which have no slash.
        tripIds.map { JourneyName($0, as: .trip) } + (trackingIds ?? []).map { JourneyName($0, as: .shipment) }
    }

    /// The announced vehicles, whose IDs the emulator has checked.
    var drivenVehicles: [DrivenVehicle] {
        vehicleIds.compactMap { try? VehicleID($0) }.map(DrivenVehicle.ofTrips)
            + (deliveryVehicleIds ?? []).compactMap { try? DeliveryVehicleID($0) }.map(DrivenVehicle.ofDeliveries)
    }

    /// Returns the URL template for tokens of a kind; `nil` if the emulator has none.
    func tokenURL(for kind: AuthorizationContext.Kind) -> String? {
        switch kind {
        case .trip: tokenURL
        case .vehicle: vehicleTokenURL
        case .tracking: trackingTokenURL
        case .deliveryVehicle: deliveryVehicleTokenURL
        case .task: deliveryServerTokenURL
        case .server: serverTokenURL
        }
    }
}
