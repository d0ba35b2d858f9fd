/// Reads a recording line by line; torn and unknown lines are skipped and counted.
///
/// ```
/// var reader = try RecordingReader(bytes: bytes)
/// while let event = reader.next() { … }
/// for line in reader.skipped { … }
/// ```
package struct RecordingReader: Sendable {
    /// Why a file is not a recording that this program can read.
    package enum Failure: Error, Sendable, Equatable {
        /// The file is empty.
        case empty
        /// The first line is not the header of a recording.
        case notRecording
        /// The recording has a newer major version.
        case newerVersion(RecordingHeader.Version)
    }

    /// A line that was skipped.
    package struct Skipped: Sendable, Equatable {
        /// The number of the line, starting at 1.
        package var line: Int
        /// Why it was skipped.
        package var problem: RecordingLine.Problem

        /// Creates a description of a line.
        package init(line: Int, problem: RecordingLine.Problem) {
            (self.line, self.problem) = (line, problem)
        }
    }

    /// The maximum number of ``skipped`` lines that are described.
    package static let mostSkipped = 100

    /// The first line.
    package let header: RecordingHeader
    /// The first skipped lines, at most ``mostSkipped``.
    package private(set) var skipped: [Skipped] = []
    /// The number of skipped lines.
    package private(set) var skippedCount = 0
    /// The number of the line that was read last, starting at 1.
    package private(set) var line = 1

    private let bytes: [UInt8]
    private var position: Int

    /// Reads the header of a recording.
    package init(bytes: [UInt8]) throws(Failure) {
        guard bytes.contains(where: { !Self.isSpace($0) }) else { throw .empty }
        let end = bytes.firstIndex(of: Self.lineFeed) ?? bytes.count
        let first = bytes[..<end]
        guard let version = RecordingLine.version(first) else { throw .notRecording }
        guard version.major <= RecordingHeader.Version.current.major else { throw .newerVersion(version) }
        guard let header = RecordingLine.header(first) else { throw .notRecording }
        self.header = header
        self.bytes = bytes
        position = end + 1
    }

    /// A reader of the same recording before its first event.
    var restarted: RecordingReader {
        var reader = self
        reader.position = (bytes.firstIndex(of: Self.lineFeed) ?? bytes.count) + 1
        (reader.line, reader.skipped, reader.skippedCount) = (1, [], 0)
        return reader
    }

    /// Whether bytes begin like a recording of any version.
    package static func isRecording(_ bytes: some Collection<UInt8>) -> Bool {
        RecordingLine.version(bytes.prefix { $0 != lineFeed }) != nil
    }

    /// Returns the next event; `nil` at the end.
    package mutating func next() -> RecordedEvent? {
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: Self.lineFeed) ?? bytes.count
            let text = bytes[position..<end]
            position = end + 1
            line += 1
            guard text.contains(where: { !Self.isSpace($0) }) else { continue }
            do throws(RecordingLine.Problem) {
                return try RecordingLine.event(text)
            } catch {
                skippedCount += 1
                if skipped.count < Self.mostSkipped { skipped.append(Skipped(line: line, problem: error)) }
            }
        }
        return nil
    }

    private static let lineFeed = UInt8(ascii: "\n")

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == lineFeed
    }
}
