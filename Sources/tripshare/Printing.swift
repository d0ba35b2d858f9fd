import Canvas
import Foundation
import SystemPackage
import TripScreen

/// Outside text made fit for a terminal and for strange eyes, in quotation marks of the house.
func shown(_ text: String) -> String {
    "‘\(Printable.clean(text.withoutTokens, limit: 200))’"
}

/// Writes lines to standard output or standard error.
enum Printing {
    /// Writes a line to standard output, which is what a command is for.
    ///
    /// A reader that has gone away (`| head`) ends the process quietly with `code`. Any other failure, such as a full disk or
    /// a closed descriptor, ends it with 74 and a message.
    static func out(_ line: String, ifUnread code: ExitStatus = .done) {
        do {
            try write(line, to: STDOUT_FILENO)
        } catch .brokenPipe {
            exit(code.rawValue)
        } catch {
            Self.error(
                """
                Standard output can't be written: \(unsafe String(cString: strerror(error.rawValue))).
                Make room where it goes to, or direct it somewhere else.
                """
            )
            exit(ExitStatus.outputFailed.rawValue)
        }
    }

    /// Writes a line to standard error, without whatever looks like a token.
    static func error(_ line: String) {
        // Where it can't be written there is no other place to say so, and the exit code has to be the one of the cause.
        try? write(line.withoutTokens, to: STDERR_FILENO)
    }

    /// Writes a line as a whole, however often the system takes only a part of it.
    private static func write(_ line: String, to descriptor: Int32) throws(Errno) {
        try FileDescriptor(rawValue: descriptor).writeWhole(line + "\n")
    }
}

extension FileDescriptor {
    fileprivate func writeWhole(_ text: String) throws(Errno) {
        do {
            try writeAll(text.utf8)
        } catch let error as Errno {
            throw error
        } catch {
            throw .ioError
        }
    }
}
