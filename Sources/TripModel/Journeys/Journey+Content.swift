package import Foundation

/// What only a trip has; absent in a shipment.
extension Journey {
    /// Whether the rider shares the vehicle.
    package var type: TripType? { if case .trip(let trip) = self { trip.type } else { nil } }

    /// The assigned vehicle; `nil` before the assignment.
    package var vehicleID: VehicleID? { if case .trip(let trip) = self { trip.vehicleID } else { nil } }

    /// The number of riders, without the driver.
    package var passengers: Int? { if case .trip(let trip) = self { trip.passengers } else { nil } }

    /// The requested pickup.
    package var pickup: Coordinate? { if case .trip(let trip) = self { trip.pickup } else { nil } }

    /// The expected or actual pickup time.
    package var pickupTime: Date? { if case .trip(let trip) = self { trip.pickupTime } else { nil } }

    /// The place and time of the actual pickup.
    package var actualPickup: StopLocation? { if case .trip(let trip) = self { trip.actualPickup } else { nil } }

    /// The place and time of the actual drop-off.
    package var actualDropoff: StopLocation? { if case .trip(let trip) = self { trip.actualDropoff } else { nil } }

    /// The intermediate stops in order.
    package var intermediateDestinations: [Coordinate] {
        if case .trip(let trip) = self { trip.intermediateDestinations } else { [] }
    }

    /// The index of the stop that the vehicle is driving to or waiting at.
    package var intermediateDestinationIndex: Int {
        if case .trip(let trip) = self { trip.intermediateDestinationIndex } else { 0 }
    }

    /// The version of the path to the first remaining waypoint.
    package var routeVersion: Version? { if case .trip(let trip) = self { trip.routeVersion } else { nil } }

    /// The waypoint at the end of that path.
    package var routeEnd: Waypoint? { if case .trip(let trip) = self { trip.routeEnd } else { nil } }

    /// The traffic along that path.
    package var traffic: Traffic? { if case .trip(let trip) = self { trip.traffic } else { nil } }
}

/// What only a shipment has; absent in a trip.
extension Journey {
    /// The values that are not shown to the recipient of an open shipment.
    package var hidden: Set<HiddenValue> { if case .shipment(let info) = self { info.hidden } else { [] } }

    /// Whether the vehicle with an open shipment is at its stop, as far as the service shows it.
    package var isAtOwnStop: Bool { if case .shipment(let info) = self { info.isAtStop } else { false } }

    /// Whether the vehicle with a shipment is at its stop, as far as the service shows it, also after the outcome.
    package var isVehicleAtOwnStop: Bool { if case .shipment(let info) = self { info.isVehicleAtStop } else { false } }

    /// Whether answers about an open shipment do not show whether the vehicle is at its stop or still on its way there.
    package var hidesArrival: Bool { if case .shipment(let info) = self { info.hidesArrival } else { false } }

    /// Whether the service shows anything of a vehicle that has an open shipment on its tour.
    package var isOnTour: Bool { if case .shipment(let info) = self { info.isOnTour } else { false } }
}
