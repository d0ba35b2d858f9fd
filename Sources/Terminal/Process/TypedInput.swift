import CProcess
import Foundation

/// The terminal of a program that writes lines and reads what is typed between them.
///
/// Lines are edited by the terminal as usual, but it does not echo them, because they would be in front of the next line of the
/// output; the program writes each line when it is complete.
package enum TypedInput {
    /// Whether standard input is a terminal that another program reads now.
    package static var isInBackground: Bool { isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) != getpgrp() }

    /// Disables the echo until ``restore()`` or the end of the process, and enables it while the process is stopped.
    ///
    /// - Returns: Whether the terminal echoed before; `false` in the background.
    package static func hideEcho() -> Bool { process_hide_echo() == 0 }

    /// Enables the echo again if ``hideEcho()`` has disabled it.
    package static func restore() { process_show_echo() }
}
