/// What can keep us from taking the terminal; nothing is changed then.
package enum TerminalError: Error, Sendable, Equatable {
    /// Standard input or standard output is not a terminal; use the plain output.
    case notATerminal
    /// TERM is unset or empty; it has to name the terminal.
    case unnamed
    /// This machine has no description of the terminal that TERM names; TERM is wrong, or ncurses-term is missing.
    case unknown(name: String)
    /// The terminal cannot move its cursor (`TERM=dumb`); use the plain output.
    case tooSimple(name: String)
    /// The system refused what a screen needs: descriptors, memory, or a thread.
    case system
    /// The screen was opened before in this process; there is one terminal.
    case openedTwice
}
