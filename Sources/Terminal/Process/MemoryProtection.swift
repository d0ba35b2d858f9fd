import CProcess

/// Protects the memory of a process that holds tokens, as ssh-agent does.
package enum MemoryProtection {
    /// Prevents other processes of the same user from reading this one's memory, and the kernel from writing core files.
    ///
    /// Debuggers, `perf` and `/proc/PID/mem` no longer work on the process.
    ///
    /// - Returns: Whether the system call succeeded.
    @discardableResult
    package static func apply() -> Bool { process_protect_memory() == 0 }
}
