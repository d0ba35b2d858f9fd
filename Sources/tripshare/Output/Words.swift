import Canvas
import Recording
import TripText

extension UserMessage {
    /// The text for standard error.
    func text(_ say: Localizer) -> String { lines(say).joined(separator: "\n") }

    /// The advice after the last try: nothing is tried again by itself.
    var lastAdvice: String? { last.remedy }

    /// The sentence of a program that ends with it.
    func lastText(_ say: Localizer) -> String { last.text(say) }
}

extension RecordingError {
    /// Describes what is wrong with the file and what to do.
    func sentence(_ say: Localizer) -> String {
        switch self {
        case .empty: say(.recordingEmpty)
        case .notJSON(let offset): say(.recordingNotJSON, offset.map { say(.recordingByte, String($0)) } ?? "")
        case .truncated: say(.recordingTruncated)
        case .otherKind(let kind): say(.recordingOtherKind, say(kind.noun))
        case .noTrips: say(.recordingNoTrips)
        case .tooLarge(let limit): say(.recordingTooLarge, String(limit >> 20))
        case .tooDeep, .tooManyValues, .tooManySnapshots: say(.recordingTooMuch)
        }
    }
}

extension RecordingReader.Failure {
    /// Describes what is wrong with the file and what to do.
    func sentence(_ say: Localizer) -> String {
        switch self {
        case .empty: say(.recordingEmpty)
        case .notRecording: say(.recordingBadHeader)
        case .newerVersion(let version): say(.recordingNewer, "\(version.major).\(version.minor)")
        }
    }
}

extension RecordingError.Kind {
    fileprivate var noun: CommandKey {
        switch self {
        case .gzip: .recordingGzip
        case .token: .recordingToken
        case .otherJSON: .recordingOtherJSON
        case .deliveries: .recordingDeliveries
        }
    }
}

extension String {
    /// The text with spaces up to a number of terminal columns.
    func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - TextWidth.of(self)))
    }
}

/// Returns a path in a form that can be pasted into a shell; quoted if necessary.
func pasteable(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:@%,=".contains($0)) }
    if isPlain, !path.isEmpty { return path }
    return "'\(shown(path).dropFirst().dropLast().replacing("'", with: #"'\''"#))'"
}
