import Foundation
import Terminal
import TripModel

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
