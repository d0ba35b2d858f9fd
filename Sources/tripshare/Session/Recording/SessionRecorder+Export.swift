import Recording
import TripScreen
import TripText

extension SessionRecorder {
    /// Exports the last minutes to a new file; returns a message with the name of the file or the error.
    func export(_ format: ExportFormat, to path: String) -> Message {
        do throws(RecordedSession.Failure) {
            let session = try RecordedSession(bytes: lastMinutes)
            do throws(ExportFailure) {
                let bytes = try format.file(of: session)
                do throws(OutputFile.Failure) {
                    let file = try RecordingFile(path)
                    defer { file.close() }
                    try file.append(bytes)
                    return .saved(path)
                } catch {
                    return .complaint(Localizer.ofProcess(.exportNotWritten, excerpt(path), error.reason(.ofProcess)))
                }
            } catch {
                return .complaint(Localizer.ofProcess(error.key, excerpt(path)))
            }
        } catch {
            // A recording of this program is readable, unless its memory is damaged.
            return .complaint(Localizer.ofProcess(.recordingNotSaved, excerpt(path), "\(error)"))
        }
    }
}
