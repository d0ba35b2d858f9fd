import Runtime

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
