import Recording
import TripModel
import TripText

/// Reads recordings and logs that the user names.
enum SessionFile {
    /// Reads a recording of this program, a Cloud Logging export or a Fleet Debugger file.
    static func read(_ path: String, advice: CommandKey = .adviceSession) throws(CommandFailure) -> RecordedSession {
        let advice = CommandText(advice)
        let data = try InputFile.data(
            path,
            limit: RecordedSession.maximumBytes,
            what: .nounRecording,
            advice: advice
        )
        do throws(RecordedSession.Failure) {
            return try RecordedSession(bytes: [UInt8](data))
        } catch {
            throw CommandFailure(.badInput) { $0(.failureSession, excerpt(path), error.sentence($0, advice: advice)) }
        }
    }

    /// Reads a recording of this program; a log is refused.
    static func recording(_ path: String) throws(CommandFailure) -> (RecordingReader, ProviderID) {
        let session = try read(path, advice: .adviceVerify)
        guard let reader = session.reader else {
            throw CommandFailure(.badInput) {
                $0(.failureSession, excerpt(path), "\($0(.verifyNoRecording))\n\($0(.adviceVerify))")
            }
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
    fileprivate func sentence(_ localizer: Localizer, advice: CommandText) -> String {
        switch self {
        case .recording(.empty): "\(localizer(.recordingEmpty))\n\(localizer(advice))"
        case .recording(.notRecording): localizer(.sessionDamaged)
        case .recording(.newerVersion(let version)): localizer(.sessionNewer, "\(version.major).\(version.minor)")
        case .log(let error): error.sentence(localizer, advice: advice)
        }
    }
}
