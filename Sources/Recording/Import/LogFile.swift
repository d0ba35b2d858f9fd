import Foundation
import Runtime
package import TripFeed
import TripModel

/// Detects the type of a file and extracts the log entries, oldest first.
///
/// The entries are read as ``LogStream`` reads them: lines that are no JSON object are skipped and counted. Only a file without
/// any entry is refused.
struct LogFile {
    /// The entries in order of time; at least one.
    let entries: [LogEntry]
    /// The lines that were skipped; `nil` if there are none.
    let skipped: SkippedLines?

    /// The maximum file size in bytes: 64 MiB, about 15 hours of one vehicle.
    static let maximumBytes = 64 << 20

    /// The token keys in answers of token endpoints.
    private static let tokenKeys = ["token", "jwt", "accesstoken"]

    /// Reads a file; entries that are not Fleet Engine's are skipped.
    ///
    /// A packed file is unpacked first, see ``PackedFile``.
    init(_ bytes: [UInt8]) throws(RecordingError) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        let bytes = try PackedFile.unpacked(bytes, limit: Self.maximumBytes)
        if let kind = Self.foreignKind(bytes) { throw .otherKind(kind) }
        if RecordingReader.isRecording(bytes) { throw .otherKind(.recording) }
        var stream = LogStream()
        guard stream.collect(bytes), stream.collect(nil) else {
            throw .tooManyValues(limit: LogStream.maximumWaiting)
        }
        var entries: [LogEntry] = []
        var skipped: SkippedLines?
        for item in stream.ordered() {
            switch item {
            case .entry(let entry): entries.append(entry)
            case .invalid(let line): skipped = skipped.map { $0.adding(line) } ?? SkippedLines(line)
            case .foreign: break
            }
        }
        guard !entries.isEmpty else { throw Self.failure(bytes) }
        (self.entries, self.skipped) = (entries, skipped)
    }

    /// Returns what a file without entries is instead.
    private static func failure(_ bytes: [UInt8]) -> RecordingError {
        do throws(RecordingError) {
            let values = try values(bytes)
            guard !values.isEmpty else { return .empty }
            let holdsToken = values.contains { value in tokenKeys.contains { value[$0] != nil } }
            return .otherKind(holdsToken ? .token : .otherJSON)
        } catch {
            return error
        }
    }

    /// How deep lists and objects may nest; Fleet Engine's messages stay below 12.
    private static let maximumDepth = 64

    /// The JSON values of a file, with normalized keys.
    private static func values(_ bytes: [UInt8]) throws(RecordingError) -> [JSONValue] {
        var options = JSONParser.Options()
        options.maximumDepth = maximumDepth
        options.maximumValues = LogStream.maximumWaiting
        options.isLenient = true
        options.normalizesKeys = true
        var parser = JSONParser(bytes, options: options)
        var values: [JSONValue] = []
        do throws(JSONParser.Failure) {
            while let value = try parser.next() { values.append(contentsOf: unwrapped(value)) }
        } catch {
            switch error {
            case .truncated: throw .truncated
            case .invalid(let offset): throw .notJSON(offset: offset)
            case .tooDeep: throw .tooDeep(limit: maximumDepth)
            case .tooManyValues: throw .tooManyValues(limit: LogStream.maximumWaiting)
            }
        }
        return values
    }

    /// What a file is that starts like no JSON: recognised before the parser complains of its first byte.
    private static func foreignKind(_ bytes: [UInt8]) -> RecordingError.Kind? {
        // Every JWT begins with the base64 of `{"` and contains two dots.
        let isToken = bytes.starts(with: Array("eyJ".utf8)) && bytes.count { $0 == UInt8(ascii: ".") } == 2
        return isToken ? .token : nil
    }

    private static func unwrapped(_ value: JSONValue) -> [JSONValue] {
        if let entries = value.elements { return entries }
        if let entries = (value["rawlogs"] ?? value["entries"])?.elements { return entries }
        return [value]
    }
}

/// A log of Fleet Engine: the trips as riders see them, and what driver, server and rider knew at each time.
package struct RecordedLog: Sendable {
    /// The trips.
    package let trips: RecordedTrips
    /// What each call has changed, in order of time; the feed events are left out.
    package let sides: [LiveLog.Step]

    /// Reads an export of Cloud Logging or a file of Google's Fleet Debugger of at most 64 MiB.
    package init(bytes: [UInt8], limits: FindingLimits = FindingLimits()) throws(RecordingError) {
        let file = try LogFile(bytes)
        let entries = file.entries
        trips = try RecordedTrips(entries, skipped: file.skipped)
        var log = LiveLog(trips: trips.timelines.map(\.id), provider: trips.provider, limits: limits)
        var sides: [LiveLog.Step] = []
        for entry in entries {
            let at = Duration.seconds(max(0, entry.time.timeIntervalSince(trips.start)))
            for item in log.handle(entry, at: Moment(wall: entry.time, steady: at)) {
                guard case .step(var step) = item else { continue }
                step.events = []
                sides.append(step)
            }
        }
        self.sides = sides
    }

    /// Returns the time of a step since the first entry of a trip.
    package func time(of step: LiveLog.Step) -> Duration {
        .microseconds(Int64((max(0, step.time.timeIntervalSince(trips.start)) * 1e6).rounded()))
    }
}

/// The reason why bytes are not a recording of Fleet Engine.
///
/// Any input results in a recording or in one of these errors; none of them quotes the file.
package enum RecordingError: Error, Sendable, Equatable {
    /// The file contains only white space.
    case empty
    /// Invalid JSON at a byte offset, starting at 0; `nil` if the location is unknown.
    case notJSON(offset: Int?)
    /// The file ends in the middle of a value.
    case truncated
    /// Another type of file.
    case otherKind(Kind)
    /// The file is a Fleet Engine log without trips.
    case noTrips
    /// The file exceeds the size limit.
    case tooLarge(limit: Int)
    /// The nesting exceeds the limit.
    case tooDeep(limit: Int)
    /// The number of JSON values exceeds the limit.
    case tooManyValues(limit: Int)
    /// The number of snapshots of all trips exceeds the limit.
    case tooManySnapshots(limit: Int)

    /// A type of file that is not a log of Fleet Engine.
    package enum Kind: Sendable, Equatable {
        /// Compressed with gzip, and damaged.
        case gzip
        /// A ZIP archive that is damaged, encrypted or has not exactly one file.
        case zip
        /// A tar archive that is damaged or has not exactly one file.
        case tar
        /// A JSON Web Token, or the answer of a token endpoint.
        case token
        /// JSON without log entries.
        case otherJSON
        /// A recording of this program.
        case recording
    }
}

/// The lines of a log that were skipped, because they are no JSON objects.
package struct SkippedLines: Sendable, Equatable {
    /// The number of the first one, from 1.
    package let first: Int
    /// How many there are.
    package private(set) var count = 1

    init(_ line: Int) { first = line }

    /// Returns the lines with another, later one.
    func adding(_ line: Int) -> SkippedLines {
        var lines = self
        lines.count += 1
        return lines
    }
}
