import Failures
import FleetEmulator
import Foundation
import Runtime
import Terminal
import TripModel
import TripText

/// Identifies the process of an emulator, so that a stale ready file can be detected.
struct EmulatorProcess: Codable, Sendable, Equatable {
    var pid: Int32
    /// When the emulator started, by the machine's clock, in RFC 3339.
    var started: String
    /// When the process started: on Linux in clock ticks since boot, on Darwin in microseconds since 1970.
    ///
    /// Distinguishes it from a later process with the same PID.
    var ticks: UInt64?
    /// The boot ID, and on Linux the PID namespace.
    ///
    /// A process of another boot or namespace cannot be checked from here.
    var system: String?

    /// Returns the identity of this process.
    static func current(started: Date) -> EmulatorProcess {
        let pid = ProcessIdentity.current
        return EmulatorProcess(
            pid: pid,
            started: started.formatted(.iso8601),
            ticks: ProcessIdentity.start(of: pid),
            system: ProcessIdentity.system
        )
    }

    /// Whether the process is known to have ended; `false` if unknown.
    var isOver: Bool {
        guard let ticks, let system, system == ProcessIdentity.system else { return false }
        return ProcessIdentity.start(of: pid) != ticks
    }

    /// Whether the process is known to be running.
    var isRunningHere: Bool {
        guard let ticks, let system, system == ProcessIdentity.system else { return false }
        return ProcessIdentity.start(of: pid) == ticks
    }
}

/// What is said about simulated drivers.
extension EmulatorRun {
    /// Returns the reason why a driver's call failed.
    static func words(_ error: DriverError, _ localizer: Localizer) -> String {
        switch error {
        case .refused(let call, let status, let message):
            localizer(
                .driverRefused(
                    call: call,
                    status: "\(status)",
                    message: message.map { localizer(.quotedName(name: excerpt($0))) } ?? ""
                )
            )
        case .unreachable(let call, _): localizer(.driverUnreachable(call: call))
        case .noToken(let call, let failure):
            localizer(.driverNoToken(call: call, reason: reason(failure, of: call, localizer)))
        case .cancelled: localizer(.driverCancelled)
        }
    }

    private static func reason(_ failure: Failure, of call: String, _ localizer: Localizer) -> String {
        let context = ["subject": call]
        return UserMessage(failure.root, context, localizer: localizer).what
    }

    /// Returns the warning about a call of a driver that was not accepted, and about the end of an outage; `nil` for other events.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - name: The vehicle in messages.
    /// - Returns: The text.
    static func warning(_ event: DriverEvent, about name: String) -> Text? {
        switch event {
        case .online, .moved, .stop, .outcome, .offline: nil
        case .notOffline(let error):
            .driverNotOffline(vehicle: name, reason: words(error, .ofProcess))
        case .interrupted(let error):
            .driverInterrupted(vehicle: name, reason: words(error, .ofProcess))
        case .restored(let positions, let after):
            .driverRestored(vehicle: name, seconds: seconds(after), count: String(positions))
        case .unsent(let positions, let call, let after):
            .driverUnsent(vehicle: name, seconds: seconds(after), count: String(positions), call: call ?? "-")
        }
    }

    /// Reports the outages of an emulated driver on standard error.
    static func warn(_ vehicle: DrivenVehicle, _ event: DriverEvent) {
        // The state of a vehicle ends with its emulator.
        if case .notOffline = event { return }
        if let text = warning(event, about: shown(vehicle.id)) { Printing.warning(text) }
    }

    private static func seconds(_ duration: Duration) -> String { String(duration.components.seconds) }
}
