package import TripModel

extension HiddenValue {
    /// The name in a list.
    package var words: Text {
        switch self {
        case .vehicleLocation: .hiddenVehicle
        case .route: .hiddenRoute
        case .remainingStopCount: .hiddenStops
        case .remainingDistance: .hiddenDistance
        case .estimatedArrival: .hiddenArrival
        case .estimatedCompletion: .hiddenCompletion
        }
    }
}
