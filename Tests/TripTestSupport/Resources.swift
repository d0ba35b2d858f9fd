import Foundation
package import Glibc

/// The resources that a process has used so far, as reported by the kernel.
package struct Resources: Sendable {
    /// Processor time in seconds, with a resolution of 0.01 s.
    package var processor: Double
    /// The number of voluntary context switches of each thread.
    ///
    /// Each one means that the thread slept and was woken later.
    private var wakeups: [String: Int] = [:]
    /// Resident memory in bytes.
    package var resident: Int

    /// The resources of a running process.
    package init(of pid: pid_t) throws {
        let folder = "/proc/\(pid)"
        let stat = try String(contentsOfFile: "\(folder)/stat", encoding: .utf8)
        // After the name, which may contain spaces and parentheses: fields 14 and 15 of proc(5) are the 12th and 13th
        // here.
        let fields = stat.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
        let ticks = fields.count > 11 ? fields[10] + fields[11] : 0
        processor = Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
        resident = try Self.number("VmRSS", in: "\(folder)/status") * 1024
        for thread in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task") {
            // A thread may end while the others are read.
            wakeups[thread] = try? Self.number("voluntary_ctxt_switches", in: "\(folder)/task/\(thread)/status")
        }
    }

    /// The number of wake-ups since then of the threads that still exist.
    package func wakeups(since before: Resources) -> Int {
        wakeups.reduce(0) { $0 + $1.value - (before.wakeups[$1.key] ?? 0) }
    }

    private static func number(_ name: String, in file: String) throws -> Int {
        for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
            let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
            if words.first == name[...], words.count > 1 { return Int(words[1]) ?? 0 }
        }
        return 0
    }
}
