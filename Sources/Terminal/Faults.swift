import CNcurses

/// What the process does where it traps.
package enum Faults {
    /// From now on a trap gives the terminal back, says so in two lines on standard error and ends the process at once.
    ///
    /// Without it Swift's runtime prints a backtrace, for which it needs many seconds without a word. Whoever wants that one
    /// sets `SWIFT_BACKTRACE`.
    package static func report() {
        // Where the system refuses handlers, a trap has its default effect, which is to end the process as well.
        _ = tn_catch_faults()
    }
}
