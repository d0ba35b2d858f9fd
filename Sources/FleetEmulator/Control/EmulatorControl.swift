import Runtime
package import TripModel

/// What the control API can change.
package struct EmulatorControl: Sendable {
    /// Controls the clock.
    package struct Clock: Sendable {
        /// Pauses or resumes.
        package var pause: @Sendable (Bool) -> Void
        /// Sets the speed in virtual seconds per real second; returns `false` if it is out of range.
        package var setSpeed: @Sendable (Double) -> Bool
        /// Moves the time of day; a forward step also advances the steady time.
        package var step: @Sendable (Duration) -> Void
        /// Returns whether the clock is paused.
        package var isPaused: @Sendable () -> Bool

        /// Creates a clock control from closures.
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
    let resets: EmulatorReset
    /// The endpoint of a presenter's console; `nil` if there is none.
    package var presenter: PresenterEndpoint?

    /// Creates the controls of one emulator.
    package init(
        faults: FaultInjector,
        drivers: DriverControl,
        clock: Clock,
        provider: ProviderID,
        resets: EmulatorReset
    ) {
        (self.faults, self.drivers, self.clock, self.provider) = (faults, drivers, clock, provider)
        self.resets = resets
    }

    /// Waits until the drivers have acted on a step of the paused clock.
    func driversCatchUp(with clock: any TripClock) async {
        await drivers.progress.catchUp(with: clock, isPaused: self.clock.isPaused)
    }
}
