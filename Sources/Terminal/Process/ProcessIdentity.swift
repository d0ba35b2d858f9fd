import CProcess
package import Foundation

/// What distinguishes a process from a later one with the same process ID.
package enum ProcessIdentity {
    /// The process ID of this process.
    package static var current: Int32 { getpid() }

    #if os(Linux)
    /// The boot and the PID namespace in which process IDs are compared; `nil` if unknown.
    package static let system: String? = {
        guard let boot = contents(of: "/proc/sys/kernel/random/boot_id"),
            // Without the namespace there is nothing to compare.
            let namespace = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        else { return nil }
        return boot.trimmingCharacters(in: .whitespacesAndNewlines) + " " + namespace
    }()

    /// Returns when a process started, in units and from a time that depend on the system; `nil` if it does not run.
    package static func start(of pid: Int32) -> UInt64? {
        guard let text = contents(of: "/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        // Field 22 of proc_pid_stat(5). Field 2, the command name, may contain any character and ends at the last parenthesis.
        let fields = text[text.index(after: end)...].split(separator: " ")
        // A zombie has ended and waits to be reaped.
        guard fields.count > 19, fields[0] != "Z" else { return nil }
        return UInt64(fields[19])
    }

    /// Returns when this process began, by the machine's clock; `now` if that is unknown.
    ///
    /// A program that replaces itself remains the same process.
    package static func beginning(now: Date) -> Date {
        // The first field of proc_uptime(5) is in seconds since boot, and the start is in ticks since then.
        guard let ticks = start(of: current),
            let uptime = contents(of: "/proc/uptime")?.split(separator: " ").first.flatMap({ Double($0) })
        else { return now }
        return now.addingTimeInterval(min(0, Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK))) - uptime))
    }

    private static func contents(of path: String) -> String? {
        // An unreadable file means that the value is unknown.
        try? String(contentsOfFile: path, encoding: .utf8)
    }
    #else
    /// The boot in which process IDs are compared; `nil` if unknown.
    package static let system: String? = {
        var text = [CChar](repeating: 0, count: 128)
        guard unsafe platform_boot_session(&text, text.count) == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Returns when a process started, in units and from a time that depend on the system; `nil` if it does not run.
    package static func start(of pid: Int32) -> UInt64? {
        let microseconds = platform_process_start(pid)
        return microseconds == 0 ? nil : microseconds
    }

    /// Returns when this process began, by the machine's clock; `now` if that is unknown.
    ///
    /// A program that replaces itself remains the same process.
    package static func beginning(now: Date) -> Date {
        guard let microseconds = start(of: current) else { return now }
        return min(now, Date(timeIntervalSince1970: Double(microseconds) / 1e6))
    }
    #endif
}
