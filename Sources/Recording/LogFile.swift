import FleetWire

/// Tells what a file is, and takes the entries of a log out of it, oldest first.
///
/// Understood: the file of Google's Fleet Debugger (`{"solutionType": …, "rawLogs": […]}`), a bare list of Cloud Logging
/// entries, the same without its brackets, one entry a line, and Fleet Archive's entries; in any order of time.
enum LogFile {
    /// The largest file that is read, in bytes: 64 MiB, some 15 hours of one vehicle.
    static let maximumBytes = 64 << 20

    /// The keys that token endpoints answer with.
    private static let tokenKeys = ["token", "jwt", "accesstoken"]

    /// The entries in order of time; entries that are not Fleet Engine's are left out.
    static func entries(_ bytes: [UInt8]) throws(RecordingError) -> [LogEntry] {
        guard bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        if let kind = foreignKind(bytes) { throw .otherKind(kind) }
        let values = try values(bytes)
        guard !values.isEmpty else { throw .empty }

        let entries = merged(values).compactMap(LogEntry.init)
        guard !entries.isEmpty else {
            let holdsToken = values.contains { value in tokenKeys.contains { value[$0] != nil } }
            throw .otherKind(holdsToken ? "a token" : "JSON of another shape")
        }
        if entries.allSatisfy({ $0.call == .delivery }) { throw .otherKind("a log of deliveries") }
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
    private static func foreignKind(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x1F, 0x8B]) { return "gzip-compressed data" }
        // The base64 of `{"` opens every JWT, and two dots divide it.
        let isToken = bytes.starts(with: Array("eyJ".utf8)) && bytes.count { $0 == UInt8(ascii: ".") } == 2
        return isToken ? "a token" : nil
    }

    private static func unwrapped(_ value: JSONValue) -> [JSONValue] {
        if let entries = value.elements { return entries }
        if let entries = (value["rawlogs"] ?? value["entries"])?.elements { return entries }
        return [value]
    }

    /// The entries with the restricted parts, which the service logs apart, put into those that they belong to.
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
