import Runtime
import TripModel

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
        /// The header is longer than ``RecordingLine/longestHeader`` or has more trips than ``RecordingHeader/mostTrips``.
        case headerTooLarge
        /// The recording has a newer major version.
        case newerVersion(RecordingHeader.Version)
        /// The recording has an older major version.
        case olderVersion(RecordingHeader.Version)
    }

    /// A line that was skipped.
    package struct Skipped: Sendable, Equatable {
        /// The number of the line, starting at 1.
        package var line: Int
        /// Why it was skipped.
        package var problem: RecordingLine.Problem
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

    private let bytes: RecordingBytes
    /// The offset of the first line after the header.
    private let begin: Int
    private var position: Int
    /// The bytes from ``windowStart`` on that were read.
    private var window: [UInt8] = []
    private var windowStart = 0
    private static let windowSize = 1 << 20

    /// Reads the header of a recording in memory.
    package init(bytes: [UInt8]) throws(Failure) { try self.init(RecordingBytes(bytes)) }

    /// Reads the header of a recording; its other bytes are read when they are needed.
    package init(_ bytes: RecordingBytes) throws(Failure) {
        let head = bytes.bytes(0..<(RecordingLine.longest + 1))
        guard head.contains(where: { !Self.isSpace($0) }) else { throw .empty }
        let end = head.firstIndex(of: Self.lineFeed) ?? head.count
        let first = head[..<end]
        guard let version = RecordingLine.version(first) else { throw .notRecording }
        let current = RecordingHeader.Version.current
        guard version.major <= current.major else { throw .newerVersion(version) }
        guard version.major >= current.major else { throw .olderVersion(version) }
        guard first.count <= RecordingLine.longestHeader else { throw .headerTooLarge }
        guard let header = RecordingLine.header(first) else { throw .notRecording }
        guard header.configuration.trips.count <= RecordingHeader.mostTrips else { throw .headerTooLarge }
        self.header = header
        self.bytes = bytes
        begin = end + 1
        position = begin
    }

    /// A reader of the same recording before its first event.
    var restarted: RecordingReader {
        var reader = self
        reader.position = begin
        (reader.line, reader.skipped, reader.skippedCount) = (1, [], 0)
        return reader
    }

    /// Returns the next line without its line feed; `nil` at the end.
    private mutating func nextLine() -> ArraySlice<UInt8>? {
        var size = Self.windowSize
        while position < bytes.count {
            let start = position - windowStart
            if start >= 0, start < window.count {
                if let end = ByteSearch.first(Self.lineFeed, in: window, from: start) {
                    position = windowStart + end + 1
                    return window[start..<end]
                }
                if windowStart + window.count >= bytes.count {
                    position = bytes.count
                    return window[start...]
                }
                if start == 0 { size = 2 * window.count }
            }
            windowStart = position
            window = bytes.bytes(position..<(position + size))
            // A file that was cut off meanwhile ends early.
            guard !window.isEmpty else { return nil }
            if window.count < min(size, bytes.count - position) {
                position = bytes.count
                return window.firstIndex(of: Self.lineFeed).map { window[..<$0] } ?? window[...]
            }
        }
        return nil
    }

    /// Whether bytes begin like a recording of any version.
    package static func isRecording(_ bytes: some Collection<UInt8>) -> Bool {
        RecordingLine.version(bytes.prefix { $0 != lineFeed }) != nil
    }

    /// Returns the next event; `nil` at the end.
    package mutating func next() -> RecordedEvent? {
        while let text = nextLine() {
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

extension RecordingReader {
    /// Returns a recording of the minutes before a time, read from the beginning again.
    ///
    /// Every event is encoded again, so that it is redacted again. Lines that can't be read are left out.
    ///
    /// - Parameter end: The session's steady time after the last event.
    /// - Returns: The recording, with its header.
    package func excerpt(before end: Duration) -> [UInt8] {
        var reader = restarted
        var ring = RecordingRing()
        var header = header
        while let event = reader.next(), event.at <= end {
            guard event.at >= end - RecordingRing.duration else { continue }
            ring.add(RecordingLine.bytes(event), at: event.at, event.moment)
        }
        if let start = ring.start { header.start = RecordedMoment(start) }
        return RecordingLine.bytes(header) + ring.lines.flatMap(\.self)
    }
}
