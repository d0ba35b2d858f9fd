package import Failures
package import FleetTokens
import Foundation
package import Runtime
package import TripModel

/// Plays a scenario against a Fleet Engine: all its drivers and timed events.
package struct ScenarioPlay: Sendable {
    private let scenario: Scenario
    private let drivers: [SimulatedDriver]
    private let faults: FaultInjector
    private let control: DriverControl
    private let captions: SceneCaptions
    private let clock: any TripClock
    private let cancel: @Sendable (TripID) async throws -> Void

    /// Creates a player; `backendToken` signs the calls of the backend, and `onCall` gets each completed call of a driver with
    /// the trips and shipments that it is about.
    package init(
        _ scenario: Scenario,
        provider: ProviderID,
        baseURL: String,
        driverTokens: TokenProvider,
        backendToken: @escaping @Sendable (BackendToken) async throws -> String,
        transport: HTTPTransport,
        clock: any TripClock,
        seed: UInt64,
        faults: FaultInjector,
        control: DriverControl,
        captions: SceneCaptions = SceneCaptions(),
        onCall: @escaping @Sendable (Call, Set<JourneyID>) -> Void = { _, _ in }
    ) {
        self.scenario = scenario
        self.captions = captions
        self.faults = faults
        self.control = control
        self.clock = clock
        drivers = scenario.drivers.enumerated().map { index, script in
            SimulatedDriver(
                script: script,
                provider: provider,
                baseURL: baseURL,
                driverTokens: driverTokens,
                backendToken: backendToken,
                transport: transport,
                clock: clock,
                seed: seed &+ UInt64(index),
                control: control,
                captions: captions,
                isPatient: true,
                onCall: onCall
            )
        }
        var client = scenario.drivers.first.map {
            DriverClient(
                baseURL: baseURL,
                provider: provider,
                vehicle: $0.vehicle,
                driverTokens: driverTokens,
                backendToken: backendToken,
                transport: transport,
                clock: clock
            )
        }
        client?.retry = .untilAnswered
        client?.isPatient = true
        cancel = { [client] trip in
            guard let client else { return }
            try await OperatorCalls(client: client).move(trip, to: .canceled, stop: nil)
        }
    }

    /// Creates the vehicles, the trips and the tasks.
    package func prepare() async throws(DriverError) {
        for driver in drivers { try await driver.prepare() }
    }

    /// Runs all scripts to the end; calls `onFailure` for a driver that failed, `onEvent` for what drivers do, and `onEnd` for
    /// each that finished.
    package func play(
        onFailure: @escaping @Sendable (DriverError) -> Void,
        onEvent: @escaping @Sendable (DrivenVehicle, DriverEvent) -> Void = { _, _ in },
        onEnd: @escaping @Sendable () async -> Void = {}
    ) async {
        let begin = clock.now().steady - .seconds(scenario.passed)
        await withTaskGroup(of: Void.self) { group in
            for driver in drivers {
                group.addTask {
                    do throws(DriverError) {
                        try await driver.drive { onEvent(driver.vehicle, $0) }
                    } catch {
                        if error != .cancelled { onFailure(error) }
                    }
                    await onEnd()
                }
            }
            if !scenario.events.isEmpty {
                group.addTask {
                    do {
                        try await happen(from: begin)
                    } catch {
                        // Cancellation and refused operator calls are ignored here: the expectations will report the effect.
                    }
                    await onEnd()
                }
            }
        }
    }

    /// Waits until what has passed before the start of the scenario has been done; until then a client sees an unfinished world.
    package func catchUp() async {
        guard scenario.passed > 0 else { return }
        await control.progress.catchUp(scenario.drivers.map(\.vehicle), with: clock)
    }

    private func happen(from begin: Duration) async throws {
        try await withThrowingTaskGroup { cancellations in
            for event in scenario.events {
                try await clock.sleep(until: begin + .seconds(event.time))
                switch event.action {
                case .cancel(let trip):
                    control.end(trip)
                    // While it is repeated, the next events happen: one of them may end the fault that prevents it.
                    cancellations.addTask { try await cancel(trip) }
                case .fault(let fault): faults.add(fault, at: clock.now().wall)
                case .clearFaults: faults.clear()
                case .caption(let caption): captions.show(caption)
                }
            }
            try await cancellations.waitForAll()
        }
    }
}
