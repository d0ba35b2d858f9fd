package import Runtime
import Synchronization
package import TripModel
import Yams

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

/// Until when each simulated driver waits before its next action.
///
/// A step of a paused clock wakes the drivers and the riders' clients at the same moment. A rider's request that arrives
/// first would show the trip as it was before the step, so the emulator answers it after the drivers have acted.
package final class DriverProgress: Sendable {
    private enum Driver {
        case acting
        /// Waiting until a time of the steady clock, in seconds.
        case waiting(until: Double)
    }

    private let limit: Duration
    private let drivers = Mutex<[DrivenVehicle: Driver]>([:])

    /// Creates a record without drivers.
    ///
    /// - Parameter limit: The maximum real time that a request waits, so that a driver that retries a failing call does not
    ///   hold it up.
    package init(limit: Duration = .milliseconds(500)) { self.limit = limit }

    /// Records that a driver waits until a time of the steady clock, in seconds.
    package func waits(_ vehicle: DrivenVehicle, until time: Double) {
        drivers.withLock { $0[vehicle] = .waiting(until: time) }
    }

    /// Records that a driver acts.
    package func acts(_ vehicle: DrivenVehicle) { drivers.withLock { $0[vehicle] = .acting } }

    /// Records that a driver's script has ended.
    package func ends(_ vehicle: DrivenVehicle) { drivers.withLock { _ = $0.removeValue(forKey: vehicle) } }

    /// Waits while the clock is paused and a driver has not yet acted on the present time; at most for the limit.
    package func catchUp(with clock: any TripClock, isPaused: @Sendable () -> Bool) async {
        let end = ContinuousClock.now + limit
        while isPaused(), !isComplete(at: clock.now().steady.seconds), ContinuousClock.now < end {
            do {
                try await Task.sleep(for: .milliseconds(2))
            } catch {
                // The request was cancelled.
                return
            }
        }
    }

    /// Waits until each of some drivers waits for a time to come; at most for a limit of real time.
    package func catchUp(
        _ vehicles: [DrivenVehicle],
        with clock: any TripClock,
        limit: Duration = .seconds(10)
    ) async {
        let end = ContinuousClock.now + limit
        while !areWaiting(vehicles, at: clock.now().steady.seconds), ContinuousClock.now < end {
            do {
                try await Task.sleep(for: .milliseconds(2))
            } catch {
                // The program ends.
                return
            }
        }
    }

    private func areWaiting(_ vehicles: [DrivenVehicle], at now: Double) -> Bool {
        drivers.withLock { drivers in
            vehicles.allSatisfy { vehicle in
                guard case .waiting(let time)? = drivers[vehicle] else { return false }
                return time > now
            }
        }
    }

    private func isComplete(at now: Double) -> Bool {
        drivers.withLock { drivers in
            drivers.values.allSatisfy { driver in
                guard case .waiting(let time) = driver else { return false }
                return time > now
            }
        }
    }
}

/// What the plain ride says at a step; the texts are in `Assets/Scenarios/Ride/captions.yaml`.
enum RideCaption: String {
    case requested
    case assigned
    case toPickup
    case atPickup
    case toDropoff
    case complete

    private static let texts: [String: String] = {
        let path = "Scenarios/Ride/captions.yaml"
        guard let yaml = EmbeddedScenarios.text(path) else { fatalError("\(path) is not embedded") }
        do {
            return try YAMLDecoder().decode(from: yaml)
        } catch {
            // The file is a part of the program, and tests read it.
            fatalError("\(path): \(error)")
        }
    }()

    /// The caption, which is true while the trip has a status; that a driver has accepted also needs a vehicle.
    func caption(_ status: TripStatus) -> SceneCaption {
        let text = Self.texts[rawValue] ?? rawValue
        var conditions = ExpectedConditions()
        conditions.statuses = [.trip(status)]
        var stated: SceneCaption.Validity?
        if self == .assigned {
            var validity = SceneCaption.Validity()
            validity.conditions = conditions
            validity.conditions.checks = [MeasureCheck("vehicle", .unequal, .missing)]
            stated = validity
        }
        return SceneCaption(
            text,
            expectation: TripExpectation(
                name: text,
                kind: .must(conditions, .throughout),
                within: SceneCaption.limit
            ),
            stated: stated
        )
    }
}
