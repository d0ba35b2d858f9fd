package import Foundation

/// The resources that a process has used so far, as reported by the kernel.
package struct Resources: Sendable {
    /// Processor time in seconds, with a resolution of 0.01 s.
    package var processor: Double
    /// Processor time in seconds of the child processes that have ended.
    var children: Double
    /// The number of voluntary context switches of each thread; on Darwin, the wake-ups of the process.
    ///
    /// Each one means that the thread slept and was woken later.
    private var wakeups: [String: Int] = [:]
    /// Resident memory in bytes.
    package var resident: Int

    #if canImport(Darwin)
    /// Why the kernel reports nothing.
    private struct Failure: Error {
        /// The system's error number.
        var code: Int32
    }

    /// The resources of a running process.
    package init(of pid: pid_t) throws {
        var info = rusage_info_v2()
        let result = unsafe withUnsafeMutablePointer(to: &info) { info in
            unsafe info.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
                unsafe proc_pid_rusage(pid, RUSAGE_INFO_V2, $0)
            }
        }
        guard result == 0 else { throw Failure(code: errno) }
        // The times are in units of the processor's clock.
        var scale = mach_timebase_info_data_t()
        unsafe mach_timebase_info(&scale)
        let unit = Double(scale.numer) / Double(scale.denom) / 1e9
        processor = Double(info.ri_user_time + info.ri_system_time) * unit
        children = Double(info.ri_child_user_time + info.ri_child_system_time) * unit
        resident = Int(info.ri_resident_size)
        wakeups = ["process": Int(info.ri_pkg_idle_wkups + info.ri_interrupt_wkups)]
    }
    #else
    /// The resources of a running process.
    package init(of pid: pid_t) throws {
        let folder = "/proc/\(pid)"
        let stat = try String(contentsOfFile: "\(folder)/stat", encoding: .utf8)
        // After the name, which may contain spaces and parentheses: fields 14 to 17 of proc(5) begin with the 11th number
        // here.
        let fields = stat.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
        func seconds(_ user: Int, _ system: Int) -> Double {
            fields.count > system ? Double(fields[user] + fields[system]) / Double(sysconf(Int32(_SC_CLK_TCK))) : 0
        }
        (processor, children) = (seconds(10, 11), seconds(12, 13))
        resident = try Self.number("VmRSS", in: "\(folder)/status") * 1024
        for thread in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task") {
            // A thread may end while the others are read.
            wakeups[thread] = try? Self.number("voluntary_ctxt_switches", in: "\(folder)/task/\(thread)/status")
        }
    }

    #endif

    /// The number of wake-ups since then of the threads that still exist.
    package func wakeups(since before: Resources) -> Int {
        wakeups.reduce(0) { $0 + $1.value - (before.wakeups[$1.key] ?? 0) }
    }

    #if !canImport(Darwin)
    private static func number(_ name: String, in file: String) throws -> Int {
        for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
            let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
            if words.first == name[...], words.count > 1 { return Int(words[1]) ?? 0 }
        }
        return 0
    }
    #endif
}
