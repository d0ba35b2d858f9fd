import Recording
import TripModel
import TripText

/// Reads recordings and logs that the user names.
enum SessionFile {
    /// Reads a recording of this program, a Cloud Logging export or a Fleet Debugger file.
    static func read(_ path: String) throws(CommandFailure) -> RecordedSession {
        let data = try InputFile.data(
            path,
            limit: RecordedSession.maximumBytes,
            what: .nounRecording,
            advice: CommandText(.adviceSession)
        )
        do throws(RecordedSession.Failure) {
            return try RecordedSession(bytes: [UInt8](data))
        } catch {
            throw CommandFailure(.badInput) { $0(.failureSession, excerpt(path), error.sentence($0)) }
        }
    }

    /// Reads a recording of this program; a log is refused.
    static func recording(_ path: String) throws(CommandFailure) -> (RecordingReader, ProviderID) {
        let session = try read(path)
        guard let reader = session.reader else {
            throw CommandFailure(.badInput) { $0(.failureSession, excerpt(path), $0(.verifyNoRecording)) }
        }
        return (reader, session.provider)
    }

    /// Warns about lines that were left out.
    static func warn(ofSkipped lines: Int, in path: String) {
        if lines > 0 { Printing.warning(.sessionSkipped, excerpt(path), String(lines)) }
    }
}

extension RecordedSession.Failure {
    /// Describes what is wrong with the file and what to do.
    fileprivate func sentence(_ localizer: Localizer) -> String {
        switch self {
        case .recording(.empty): localizer(.recordingEmpty)
        case .recording(.notRecording): localizer(.sessionDamaged)
        case .recording(.newerVersion(let version)): localizer(.sessionNewer, "\(version.major).\(version.minor)")
        case .log(let error): error.sentence(localizer)
        }
    }
}
