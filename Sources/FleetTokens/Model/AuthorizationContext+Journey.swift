package import TripModel

extension AuthorizationContext {
    /// Returns the subject of a consumer's token that can read a trip or a shipment.
    package static func journey(_ id: JourneyID) -> AuthorizationContext {
        switch id {
        case .trip(let trip): .trip(trip)
        case .shipment(let tracking): .tracking(tracking)
        }
    }

    /// The trip or the shipment that a consumer's token is for; `nil` for other subjects.
    package var journey: JourneyID? {
        switch self {
        case .trip(let trip): .trip(trip)
        case .tracking(let tracking): .shipment(tracking)
        case .vehicle, .task, .deliveryVehicle, .server: nil
        }
    }
}
