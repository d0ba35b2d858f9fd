package import Runtime
package import TripModel

/// What the control API can change.
package struct EmulatorControl: Sendable {
    let faults: FaultInjector
    let drivers: DriverControl
    let clock: ClockControl
    let provider: ProviderID
    let resets: EmulatorReset
    /// The endpoint of a presenter's console; `nil` if there is none.
    package var presenter: PresenterEndpoint?

    /// Creates the controls of one emulator.
    package init(
        faults: FaultInjector,
        drivers: DriverControl,
        clock: ClockControl,
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
