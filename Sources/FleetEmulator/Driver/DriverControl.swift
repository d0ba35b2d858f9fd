import Synchronization
package import TripModel

/// External commands to drivers, which read them before each report.
package final class DriverControl: Sendable {
    /// A change of route.
    package enum Diversion: Sendable, Equatable {
        /// Moves the vehicle to a position at once; it continues from there.
        case teleport(Coordinate)
        /// Routes the vehicle through a point.
        case detour(Coordinate)
    }

    private struct Orders {
        var frozen: Set<DrivenVehicle> = []
        var diversions: [DrivenVehicle: Diversion] = [:]
        var ended: Set<TripID> = []
    }

    private let orders = Mutex(Orders())
    /// Until when each driver waits.
    package let progress = DriverProgress()

    /// Creates a control without commands.
    package init() {}

    /// Stops a vehicle, or lets it drive on.
    package func freeze(_ vehicle: DrivenVehicle, _ isFrozen: Bool) {
        orders.withLock { orders in
            if isFrozen { orders.frozen.insert(vehicle) } else { orders.frozen.remove(vehicle) }
        }
    }

    /// Changes the route of a vehicle.
    package func divert(_ vehicle: DrivenVehicle, _ diversion: Diversion) {
        orders.withLock { $0.diversions[vehicle] = diversion }
    }

    /// Marks a trip as ended, so that drivers stop driving for it.
    package func end(_ trip: TripID) { orders.withLock { _ = $0.ended.insert(trip) } }

    /// Removes all commands.
    package func reset() { orders.withLock { $0 = Orders() } }

    /// The stopped vehicles.
    var frozen: Set<DrivenVehicle> { orders.withLock(\.frozen) }
    func isFrozen(_ vehicle: DrivenVehicle) -> Bool { orders.withLock { $0.frozen.contains(vehicle) } }
    func hasEnded(_ trip: TripID) -> Bool { orders.withLock { $0.ended.contains(trip) } }
    func dequeueDiversion(_ vehicle: DrivenVehicle) -> Diversion? {
        orders.withLock { $0.diversions.removeValue(forKey: vehicle) }
    }
}
