import Failures
import Foundation
import Synchronization
import TripText

/// The file of `emulate --log`: one entry of Cloud Logging per line.
///
/// A full disk or a reader that does not read ends the log, not the emulator.
final class CallLogFile: Sendable {
    private let path: String
    /// The file; `nil` after it could not be written, and after the end.
    private let file: Mutex<RecordingFile?>

    /// Creates the file, which must not exist; a pipe is written as it is.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        do throws(OutputFile.Failure) {
            file = Mutex(try RecordingFile(path))
        } catch {
            guard error != .system(EEXIST) else {
                throw CommandFailure(.outputFailed, .failureLogExists(file: excerpt(path: path)))
            }
            throw CommandFailure(.outputFailed) {
                $0(.exportNotWritten(file: excerpt(path: path), reason: error.reason($0)))
            }
        }
    }

    /// Closes the file, which is removed if no call was written, so that a start that failed can be repeated.
    func close() {
        file.withLock { file in
            file?.close()
            file = nil
        }
    }

    /// Appends an entry; the first failure is reported on standard error.
    func append(_ line: [UInt8]) {
        file.withLock { file in
            do throws(OutputFile.Failure) {
                try file?.append(line)
            } catch {
                file?.close()
                file = nil
                Printing.warning(
                    .warningNotLogged(file: excerpt(path: path), reason: error.reason(.ofProcess))
                )
            }
        }
    }
}
