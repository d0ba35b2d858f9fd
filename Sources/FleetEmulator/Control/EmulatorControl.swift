package import TripModel

/// What somebody at the control API can take hold of.
package struct EmulatorControl: Sendable {
    /// Changes of the clock.
    package struct Clock: Sendable {
        /// Stops or goes on.
        package var pause: @Sendable (Bool) -> Void
        /// Virtual seconds per real second.
        package var setSpeed: @Sendable (Double) -> Bool
        /// Moves the time of day, the steady time with it when it goes forward.
        package var step: @Sendable (Duration) -> Void
        /// Whether it is paused.
        package var isPaused: @Sendable () -> Bool

        /// A clock with these handles.
        package init(
            pause: @escaping @Sendable (Bool) -> Void,
            setSpeed: @escaping @Sendable (Double) -> Bool,
            step: @escaping @Sendable (Duration) -> Void,
            isPaused: @escaping @Sendable () -> Bool
        ) {
            (self.pause, self.setSpeed, self.step, self.isPaused) = (pause, setSpeed, step, isPaused)
        }
    }

    let faults: FaultInjector
    let drivers: DriverControl
    let clock: Clock
    let provider: ProviderID

    /// The handles of one emulator.
    package init(faults: FaultInjector, drivers: DriverControl, clock: Clock, provider: ProviderID) {
        (self.faults, self.drivers, self.clock, self.provider) = (faults, drivers, clock, provider)
    }
}
