import CNcurses

/// Handles traps of the process.
package enum Faults {
    /// From now on, a trap restores the terminal, prints two lines to standard error and ends the process at once.
    ///
    /// By default, Swift's runtime prints a backtrace, which takes many seconds without any output. Set `SWIFT_BACKTRACE` to
    /// get it.
    package static func report() {
        // If the system refuses the handlers, a trap has its default effect, which also ends the process.
        _ = tn_catch_faults()
    }
}
