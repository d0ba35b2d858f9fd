/// The reason why the terminal could not be opened; nothing has changed in that case.
package enum TerminalError: Error, Sendable, Equatable {
    /// Standard input or standard output is not a terminal; use the plain output.
    case notATerminal
    /// TERM is unset or empty; it must name the terminal.
    case unnamed
    /// There is no terminfo entry for the terminal in TERM; TERM is wrong, or ncurses-term is missing.
    case unknown(name: String)
    /// The terminal cannot move its cursor (`TERM=dumb`); use the plain output.
    case tooSimple(name: String)
    /// The process is in the background, and no shell can move it to the foreground.
    case inBackground
    /// The system refused a resource: descriptors, memory or a thread.
    case system
    /// The screen was already opened in this process; there is only one terminal.
    case openedTwice
}
