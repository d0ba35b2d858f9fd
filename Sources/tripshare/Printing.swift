import Canvas
import Foundation
import TripScreen

/// Outside text made fit for a terminal and for strange eyes, in quotation marks of the house.
func shown(_ text: String) -> String {
    "‘\(Printable.clean(text.withoutTokens, limit: 200))’"
}

/// Writes lines to standard output or standard error; a reader that went away ends the program quietly.
enum Printing {
    /// Writes a line to standard output.
    static func out(_ line: String) {
        write(line, to: FileHandle.standardOutput)
    }

    /// Writes a line to standard error, without whatever looks like a token.
    static func error(_ line: String) {
        write(line.withoutTokens, to: FileHandle.standardError)
    }

    private static func write(_ line: String, to handle: FileHandle) {
        do {
            try handle.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            // Nobody reads any more: there is nobody to tell either.
            exit(ExitStatus.done.rawValue)
        }
    }
}
