import CProcess

/// Protects the memory of a process that holds tokens, as ssh-agent does.
///
/// Without it, every other program of the user can read tokens and keys from a running session, and a crash writes them to a
/// file: `MemoryProtectionTests`, “memory can't be read by other programs of the same user and is not in core files”.
package enum MemoryProtection {
    /// Prevents other processes of the same user from reading this one's memory, and the kernel from writing core files.
    ///
    /// Debuggers, `perf` and `/proc/PID/mem` no longer work on the process.
    ///
    /// - Returns: Whether the system call succeeded.
    @discardableResult
    package static func apply() -> Bool { process_protect_memory() == 0 }
}
