package import Runtime
import Synchronization
import TripModel

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

    private func isComplete(at now: Double) -> Bool {
        drivers.withLock { drivers in
            drivers.values.allSatisfy { driver in
                guard case .waiting(let time) = driver else { return false }
                return time > now
            }
        }
    }
}
