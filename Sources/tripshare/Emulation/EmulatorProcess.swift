import Foundation
import TripModel

/// The process of an emulator, so that a ready file that it left behind can be recognized.
struct EmulatorProcess: Codable, Sendable, Equatable {
    var pid: Int32
    /// When the emulator began, by the machine's clock, in RFC 3339.
    var started: String
    /// When the process began, in ticks since the system did: tells it from a later one with the same number.
    var ticks: UInt64?
    /// The boot of the machine and the namespace of process numbers; another one can't be judged from here.
    var system: String?

    /// This process.
    static func current(started: Date) -> EmulatorProcess {
        let pid = getpid()
        return EmulatorProcess(
            pid: pid,
            started: started.formatted(.iso8601),
            ticks: ticks(of: pid),
            system: currentSystem
        )
    }

    /// Whether the process is known to be over; `false` where that can't be told.
    var isOver: Bool {
        guard let ticks, let system, system == Self.currentSystem else { return false }
        return Self.ticks(of: pid) != ticks
    }

    /// Whether the process is known to run.
    var isRunningHere: Bool {
        guard let ticks, let system, system == Self.currentSystem else { return false }
        return Self.ticks(of: pid) == ticks
    }

    /// `nil` where there is no such process, or no such file system.
    private static func ticks(of pid: Int32) -> UInt64? {
        guard let text = contents(of: "/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        // Field 22 of proc_pid_stat(5); the command's name, field 2, may contain anything and ends at the last bracket.
        let fields = text[text.index(after: end)...].split(separator: " ")
        // A zombie has ended, and waits for its parent to notice.
        guard fields.count > 19, fields[0] != "Z" else { return nil }
        return UInt64(fields[19])
    }

    private static let currentSystem: String? = {
        guard let boot = contents(of: "/proc/sys/kernel/random/boot_id"),
            // Without it there is nothing to compare.
            let namespace = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        else { return nil }
        return boot.trimmingCharacters(in: .whitespacesAndNewlines) + " " + namespace
    }()

    private static func contents(of path: String) -> String? {
        // What is not there is not known; that is all there is to say.
        try? String(contentsOfFile: path, encoding: .utf8)
    }
}
