import Failures
import FleetTokens

/// Describes one use of a command, a file or a variable, and reads the token in its content.
struct SourceRecord {
    private let medium: Exchange.Medium
    private let request: Exchange.Request
    private let recorder: TokenAnswerRecorder
    private let started = ContinuousClock.now

    /// Starts at the time of the call; the name is displayable.
    init(_ medium: Exchange.Medium, name: String, _ recorder: TokenAnswerRecorder) {
        (self.medium, self.recorder) = (medium, recorder)
        request = Exchange.Request(name)
    }

    /// Gets the content of the source and returns the token in it; records how it ended.
    func token(
        in format: TokenAnswerFormat,
        from content: () async throws(Failure) -> [UInt8]
    ) async throws(Failure) -> IssuedToken {
        let bytes: [UInt8]
        do {
            bytes = try await content()
        } catch {
            record(nil, error.ending)
            throw error
        }
        do {
            let token = try format.read(bytes)
            record(Exchange.Answer(content: bytes, isUsable: true), .complete)
            return token
        } catch {
            record(Exchange.Answer(content: bytes, isUsable: false), .complete)
            throw error
        }
    }

    private func record(_ answer: Exchange.Answer?, _ ending: Exchange.Ending) {
        let duration = ContinuousClock.now - started
        recorder.record(Exchange(medium, request, answer: answer, duration: duration, ending: ending))
    }
}

extension Failure {
    /// How a command ended, or the reading of a file or a variable.
    fileprivate var ending: Exchange.Ending {
        switch code {
        case .commandFailed: .exited(self[.status] ?? 0)
        case .commandKilled: .killed(signal: self[.signal] ?? 0)
        case .tooLarge, .cancelled: .failed(code)
        default: .unavailable
        }
    }
}
