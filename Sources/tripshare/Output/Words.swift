import Canvas
import Recording
import Runtime
import TripText

extension UserMessage {
    /// The text for standard error.
    func text(_ localizer: Localizer) -> String { lines(localizer).joined(separator: "\n") }

    /// The advice after the last try: nothing is tried again by itself.
    var lastAdvice: String? { last.remedy }

    /// The sentence of a program that ends with it.
    func lastText(_ localizer: Localizer) -> String { last.text(localizer) }
}

extension RecordingError {
    /// Describes what is wrong with the file and what to do; `advice` names the files that the command reads.
    func sentence(_ localizer: Localizer, advice: Text) -> String {
        switch self {
        case .empty: "\(localizer(.recordingEmpty))\n\(localizer(advice))"
        case .notJSON(let offset):
            localizer(
                .recordingNotJSON(place: offset.map { localizer(.recordingByte(offset: String($0))) } ?? "")
            )
                + "\n\(localizer(advice))"
        case .truncated: localizer(.recordingTruncated)
        case .otherKind(.zip): localizer(.recordingZIP)
        case .otherKind(.tar): localizer(.recordingTar)
        case .otherKind(let kind):
            "\(localizer(.recordingOtherKind(kind: localizer(kind.noun))))\n\(localizer(advice))"
        case .noTrips: localizer(.recordingNoTrips)
        case .tooLarge(let limit): localizer(.recordingTooLarge(limit: String(limit >> 20)))
        case .tooDeep, .tooManyValues, .tooManySnapshots: localizer(.recordingTooMuch)
        }
    }
}

extension RecordingReader.Failure {
    /// Describes what is wrong with the file and what to do; `advice` names the files that the command reads.
    func sentence(_ localizer: Localizer, advice: Text) -> String {
        switch self {
        case .empty: "\(localizer(.recordingEmpty))\n\(localizer(advice))"
        case .notRecording: localizer(.recordingBadHeader)
        case .headerTooLarge:
            localizer(
                .recordingHeaderTooLarge(
                    trips: String(RecordingHeader.mostTrips),
                    size: String(RecordingLine.longestHeader >> 10)
                )
            )
        case .newerVersion(let version): localizer(.recordingNewer(version: version.name))
        case .olderVersion(let version):
            localizer(.sessionOlder(version: version.name, read: RecordingHeader.Version.current.name))
        }
    }
}

extension RecordingError.Kind {
    fileprivate var noun: Text {
        switch self {
        case .gzip: .recordingGzip
        case .zip: .recordingZIP
        case .tar: .recordingTar
        case .token: .recordingToken
        case .otherJSON: .recordingOtherJSON
        case .recording: .recordingOwn
        }
    }
}

extension String {
    /// The text with spaces up to a number of terminal columns.
    func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - TextWidth.of(self)))
    }
}

/// Returns a path in a form that can be pasted into a shell, quoted if necessary; `FILE` for what is hidden.
func pasteable(_ path: String) -> String {
    guard excerpt(path: path) != hiddenValue else { return "FILE" }
    let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:@%,=".contains($0)) }
    if isPlain, !path.isEmpty { return path }
    return "'\(shown(path).dropFirst().dropLast().replacing("'", with: #"'\''"#))'"
}
