import Synchronization
package import TripModel

/// What somebody from outside wants a driver to do; drivers look at it before each report.
package final class DriverControl: Sendable {
    /// A way that is to be driven from now on.
    package enum Diversion: Sendable, Equatable {
        /// The vehicle is somewhere else all at once, and goes on from there.
        case teleport(Coordinate)
        /// It goes by way of a place.
        case detour(Coordinate)
    }

    private struct Orders {
        var frozen: Set<VehicleID> = []
        var diversions: [VehicleID: Diversion] = [:]
        var ended: Set<TripID> = []
    }

    private let orders = Mutex(Orders())

    /// Nothing is wanted.
    package init() {}

    /// Lets a vehicle stand still, or drive on.
    package func freeze(_ vehicle: VehicleID, _ isFrozen: Bool) {
        orders.withLock { orders in
            if isFrozen { orders.frozen.insert(vehicle) } else { orders.frozen.remove(vehicle) }
        }
    }

    /// Sends a vehicle another way.
    package func divert(_ vehicle: VehicleID, _ diversion: Diversion) {
        orders.withLock { $0.diversions[vehicle] = diversion }
    }

    /// Tells the drivers that a trip is over, so that they drive no further for it.
    package func end(_ trip: TripID) { orders.withLock { _ = $0.ended.insert(trip) } }

    func isFrozen(_ vehicle: VehicleID) -> Bool { orders.withLock { $0.frozen.contains(vehicle) } }
    func hasEnded(_ trip: TripID) -> Bool { orders.withLock { $0.ended.contains(trip) } }
    func takeDiversion(_ vehicle: VehicleID) -> Diversion? {
        orders.withLock { $0.diversions.removeValue(forKey: vehicle) }
    }
}
