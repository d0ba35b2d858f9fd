import CProcess

/// Protects the memory of a process that holds tokens, as ssh-agent does.
package enum MemoryProtection {
    /// Keeps other processes of the same user from reading this one's memory, and the kernel from writing it to a core file.
    ///
    /// Debuggers and `perf` do not work on the process any more, nor does `/proc/PID/mem`.
    ///
    /// - Returns: Whether the system did it.
    @discardableResult
    package static func apply() -> Bool { process_protect_memory() == 0 }
}
