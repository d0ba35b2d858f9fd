import Failures
import Foundation
import Synchronization
import TripText

/// The file of `emulate --log`: one entry of Cloud Logging per line.
///
/// A full disk or a reader that does not read ends the log, not the emulator.
final class CallLogFile: Sendable {
    private struct State {
        var file: RecordingFile?
        var isEmpty = true
    }

    private let path: String
    /// Whether the file was created, so that it may be removed.
    private let isNew: Bool
    private let state: Mutex<State>

    /// Creates the file, which must not exist; a pipe is written as it is.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        do throws(OutputFile.Failure) {
            isNew = try OutputFile.target(path) == .absent
            state = Mutex(State(file: try RecordingFile(path)))
        } catch {
            guard error != .system(EEXIST) else {
                throw CommandFailure(.outputFailed, .failureLogExists(file: excerpt(path: path)))
            }
            throw CommandFailure(.outputFailed) {
                $0(.exportNotWritten(file: excerpt(path: path), reason: error.reason($0)))
            }
        }
    }

    deinit { state.withLock { $0.file?.close() } }

    /// Removes the file if no call was written, so that a start that failed can be repeated.
    func removeIfEmpty() {
        state.withLock { state in
            guard isNew, state.isEmpty, state.file != nil else { return }
            state.file?.close()
            state.file = nil
            unsafe unlink(path)
        }
    }

    /// Appends an entry; the first failure is reported on standard error.
    func append(_ line: [UInt8]) {
        state.withLock { state in
            state.isEmpty = false
            do throws(OutputFile.Failure) {
                try state.file?.append(line)
            } catch {
                state.file?.close()
                state.file = nil
                Printing.warning(
                    .warningNotLogged(file: excerpt(path: path), reason: error.reason(.ofProcess))
                )
            }
        }
    }
}
