import Foundation
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
                    try RecordingFile.create(path, bytes)
                    return .saved(path)
                } catch .system(EEXIST) {
                    return Self.complaint(Localizer.ofProcess(.exportTaken(file: excerpt(path: path))))
                } catch {
                    return Self.complaint(
                        Localizer.ofProcess(
                            .exportNotWritten(file: excerpt(path: path), reason: error.reason(.ofProcess))
                        )
                    )
                }
            } catch {
                return Self.complaint(Localizer.ofProcess(error.text(of: excerpt(path: path))))
            }
        } catch {
            // A recording of this program is readable, unless its memory is damaged.
            return Self.complaint(
                Localizer.ofProcess(.recordingNotSaved(file: excerpt(path: path), reason: "\(error)"))
            )
        }
    }

    /// Returns a complaint on one line; the messages of commands have several.
    private static func complaint(_ text: String) -> Message { .complaint(text.replacing("\n", with: " ")) }
}
