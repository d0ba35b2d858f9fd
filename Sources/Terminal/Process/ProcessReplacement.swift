import CProcess
import Foundation

/// Restarts the program in the same process, as if the command had been run again.
package enum ProcessReplacement {
    /// Replaces this program; returns only on failure.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    package static func run(arguments: [String]) {
        let words = [CommandLine.arguments.first ?? "tripshare"] + arguments
        var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        unsafe process_restart(&pointers)
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
}
