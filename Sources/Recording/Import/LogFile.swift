import FleetWire

/// Detects the type of a file and extracts the log entries, oldest first.
///
/// Supported formats: a file of Google's Fleet Debugger (`{"solutionType": …, "rawLogs": […]}`), a list of Cloud Logging
/// entries, the same without brackets, one entry per line, and Fleet Archive's entries. The entries may be in any order.
enum LogFile {
    /// The maximum file size in bytes: 64 MiB, about 15 hours of one vehicle.
    static let maximumBytes = 64 << 20

    /// The token keys in answers of token endpoints.
    private static let tokenKeys = ["token", "jwt", "accesstoken"]

    /// Returns the entries in order of time; entries that are not Fleet Engine's are skipped.
    static func entries(_ bytes: [UInt8]) throws(RecordingError) -> [LogEntry] {
        guard bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        if let kind = foreignKind(bytes) { throw .otherKind(kind) }
        if RecordingReader.isRecording(bytes) { throw .otherKind(.recording) }
        let values = try values(bytes)
        guard !values.isEmpty else { throw .empty }

        let entries = merged(values).compactMap(LogEntry.init)
        guard !entries.isEmpty else {
            let holdsToken = values.contains { value in tokenKeys.contains { value[$0] != nil } }
            throw .otherKind(holdsToken ? .token : .otherJSON)
        }
        if entries.allSatisfy({ $0.call == .delivery }) { throw .otherKind(.deliveries) }
        return entries.sorted { ($0.time, $0.insertID) < ($1.time, $1.insertID) }
    }

    /// How deep lists and objects may nest; Fleet Engine's messages stay below 12.
    private static let maximumDepth = 64
    /// How many values a file may hold: about 40,000 log entries.
    private static let maximumValues = 4_000_000

    /// The JSON values of a file, with normalized keys.
    private static func values(_ bytes: [UInt8]) throws(RecordingError) -> [JSONValue] {
        var options = JSONParser.Options()
        options.maximumDepth = maximumDepth
        options.maximumValues = maximumValues
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
            case .tooManyValues: throw .tooManyValues(limit: maximumValues)
            }
        }
        return values
    }

    /// What a file is that starts like no JSON: recognised before the parser complains of its first byte.
    private static func foreignKind(_ bytes: [UInt8]) -> RecordingError.Kind? {
        if bytes.starts(with: [0x1F, 0x8B]) { return .gzip }
        // Every JWT begins with the base64 of `{"` and contains two dots.
        let isToken = bytes.starts(with: Array("eyJ".utf8)) && bytes.count { $0 == UInt8(ascii: ".") } == 2
        return isToken ? .token : nil
    }

    private static func unwrapped(_ value: JSONValue) -> [JSONValue] {
        if let entries = value.elements { return entries }
        if let entries = (value["rawlogs"] ?? value["entries"])?.elements { return entries }
        return [value]
    }

    /// Merges restricted parts, which the service logs separately, into their entries.
    private static func merged(_ values: [JSONValue]) -> [JSONValue] {
        var restricted: [String: JSONValue] = [:]
        var rest: [JSONValue] = []
        for value in values {
            let payload = value["jsonpayload"]
            let parent = (payload?["parentinsertid"] ?? value["parentinsertid"])?.string
            if let payload, let parent, payload["@type"]?.string?.contains("Restricted") ?? true {
                restricted[parent] = restricted[parent]?.merged(with: payload) ?? payload
            } else {
                rest.append(value)
            }
        }
        guard !restricted.isEmpty else { return rest }
        return rest.map { value in
            guard let id = value["insertid"]?.string, let more = restricted[id], let payload = value["jsonpayload"]
            else {
                return value
            }
            // The parent's own words win: of the restricted entry only what is missing is taken.
            return value.merged(with: .object([.init(key: "jsonpayload", value: more.merged(with: payload))]))
        }
    }
}
