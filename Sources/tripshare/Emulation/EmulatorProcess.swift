import Foundation
import TripModel

/// Identifies the process of an emulator, so that a stale ready file can be detected.
struct EmulatorProcess: Codable, Sendable, Equatable {
    var pid: Int32
    /// When the emulator started, by the machine's clock, in RFC 3339.
    var started: String
    /// When the process started, in clock ticks since boot.
    ///
    /// Distinguishes it from a later process with the same PID.
    var ticks: UInt64?
    /// The boot ID and the PID namespace.
    ///
    /// A process of another boot or namespace cannot be checked from here.
    var system: String?

    /// Returns the identity of this process.
    static func current(started: Date) -> EmulatorProcess {
        let pid = getpid()
        return EmulatorProcess(
            pid: pid,
            started: started.formatted(.iso8601),
            ticks: ticks(of: pid),
            system: currentSystem
        )
    }

    /// Returns when this process began, by the machine's clock; `now` if that is unknown.
    ///
    /// A program that replaces itself keeps its process.
    static func beginning(now: Date) -> Date {
        // The first field of proc_uptime(5) is in seconds since boot.
        guard let ticks = ticks(of: getpid()),
            let uptime = contents(of: "/proc/uptime")?.split(separator: " ").first.flatMap({ Double($0) })
        else { return now }
        return now.addingTimeInterval(min(0, Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK))) - uptime))
    }

    /// Whether the process is known to have ended; `false` if unknown.
    var isOver: Bool {
        guard let ticks, let system, system == Self.currentSystem else { return false }
        return Self.ticks(of: pid) != ticks
    }

    /// Whether the process is known to be running.
    var isRunningHere: Bool {
        guard let ticks, let system, system == Self.currentSystem else { return false }
        return Self.ticks(of: pid) == ticks
    }

    /// Returns the start time in ticks; `nil` if the process or `/proc` does not exist.
    private static func ticks(of pid: Int32) -> UInt64? {
        guard let text = contents(of: "/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        // Field 22 of proc_pid_stat(5). Field 2, the command name, may contain any character and ends at the last parenthesis.
        let fields = text[text.index(after: end)...].split(separator: " ")
        // A zombie has ended and waits to be reaped.
        guard fields.count > 19, fields[0] != "Z" else { return nil }
        return UInt64(fields[19])
    }

    private static let currentSystem: String? = {
        guard let boot = contents(of: "/proc/sys/kernel/random/boot_id"),
            // Without the namespace there is nothing to compare.
            let namespace = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        else { return nil }
        return boot.trimmingCharacters(in: .whitespacesAndNewlines) + " " + namespace
    }()

    private static func contents(of path: String) -> String? {
        // An unreadable file means that the value is unknown.
        try? String(contentsOfFile: path, encoding: .utf8)
    }
}
