import Foundation
import Runtime
import TripModel

/// Reads the entries of a log from a stream of bytes.
///
/// Besides Cloud Logging entries it accepts messages of Pub/Sub, whose `data` holds an entry in base64. Entries that were
/// delivered twice are returned once. A restricted part, which the service logs separately, is merged into its entry if it
/// arrives before it.
///
/// What has an end is collected first and returned in order of time; the rest is returned in the order of its arrival.
struct LogStream: Sendable {
    /// A part of the log.
    enum Item: Sendable {
        /// An entry of Fleet Engine.
        case entry(LogEntry)
        /// A line that is no JSON object.
        case invalid(line: Int)
        /// JSON that is no entry of Fleet Engine.
        case foreign
    }

    /// The number of entries whose IDs and restricted parts are stored.
    private static let window = 4096
    /// The number of values of an entry; Cloud Logging's limit of 256 KiB allows fewer.
    private static let maximumValues = 500_000

    /// The number of values that may wait to be ordered: about 40,000 entries.
    static let maximumWaiting = 4_000_000

    private var scanner = LogScanner()
    /// The IDs of the last entries, and in which order to forget them.
    private var seen: Set<String> = []
    private var order: [String] = []
    private var next = 0
    /// The restricted parts whose entry has not arrived.
    private var restricted = RestrictedParts(limit: window)
    /// What was collected and is not ordered yet.
    private var waiting = Waiting()

    /// Values that are ordered together.
    private struct Waiting: Sendable {
        var values: [JSONValue] = []
        /// The numbers of the lines that are no JSON object.
        var invalid: [Int] = []
        /// The number of values in ``values``, those inside of lists and objects included.
        var count = 0
    }

    /// Returns the items that end in a chunk of bytes.
    mutating func consume(_ bytes: [UInt8]) -> [Item] { scanner.consume(bytes).compactMap { item(of: $0) } }

    /// Returns the items that end with the stream.
    mutating func finish() -> [Item] { scanner.finish().compactMap { item(of: $0) } }

    private mutating func item(of item: LogScanner.Item) -> Item? {
        switch Self.value(of: item) {
        case .invalid(let line): return .invalid(line: line)
        case .value(let value, _):
            guard let whole = whole(value) else { return nil }
            return LogEntry(whole).map(Item.entry) ?? .foreign
        }
    }

    // MARK: Order of time

    /// Stores the entries that end in a chunk of bytes until ``ordered()`` returns them; `nil` ends the stream.
    ///
    /// Returns `false` if so many wait that they have to be ordered before more are collected.
    mutating func collect(_ bytes: [UInt8]?) -> Bool {
        for item in bytes.map({ scanner.consume($0) }) ?? scanner.finish() {
            switch Self.value(of: item) {
            case .invalid(let line): waiting.invalid.append(line)
            case .value(let value, let count):
                waiting.values.append(value)
                waiting.count += count
            }
        }
        return waiting.count <= Self.maximumWaiting
    }

    /// Returns what was collected: first the invalid lines, then the entries in order of time.
    ///
    /// A restricted part is merged into its entry in any order.
    mutating func ordered() -> [Item] {
        let (values, invalid) = (waiting.values, waiting.invalid)
        waiting = Waiting()
        var parts = restricted
        parts.limit = max(values.count, Self.window)
        let entries = values.filter { value in
            guard let (parent, part) = Self.restrictedPart(value) else { return true }
            parts.add(part, of: parent)
            return false
        }
        var ids: Set<String> = []
        var foreign = 0
        let whole = entries.compactMap { value -> LogEntry? in
            let id = value["insertid"]?.string ?? ""
            let key = Self.key(value, id)
            guard id.isEmpty || ids.insert(key).inserted && isNew(key) else { return nil }
            guard let entry = LogEntry(Self.whole(value, with: parts.remove(of: id))) else {
                foreign += 1
                return nil
            }
            return entry
        }
        parts.limit = Self.window
        restricted = parts
        return invalid.map(Item.invalid) + Array(repeating: .foreign, count: foreign)
            + whole.sorted { ($0.time, $0.insertID) < ($1.time, $1.insertID) }.map(Item.entry)
    }

    // MARK: Values

    private enum Value {
        /// The value, and the number of values in it.
        case value(JSONValue, count: Int)
        case invalid(line: Int)
    }

    private static func value(of item: LogScanner.Item) -> Value {
        switch item {
        case .invalid(let line): return .invalid(line: line)
        case .object(let bytes, let line):
            guard let (value, count) = value(bytes), let value = unwrapped(value) else { return .invalid(line: line) }
            return .value(value, count: count)
        }
    }

    /// Returns the ID of the entry to which a restricted part belongs, and the part; `nil` for another value.
    private static func restrictedPart(_ value: JSONValue) -> (String, JSONValue)? {
        guard let payload = value["jsonpayload"],
            let parent = (payload["parentinsertid"] ?? value["parentinsertid"])?.string,
            payload["@type"]?.string?.contains("Restricted") ?? true
        else { return nil }
        return (parent, payload)
    }

    /// Returns an entry with its restricted part, if it has arrived; `nil` for an entry that was delivered before, and for a part.
    private mutating func whole(_ value: JSONValue) -> JSONValue? {
        if let (parent, part) = Self.restrictedPart(value) {
            restricted.add(part, of: parent)
            return nil
        }
        let id = value["insertid"]?.string ?? ""
        guard !id.isEmpty else { return value }
        return isNew(Self.key(value, id)) ? Self.whole(value, with: restricted.remove(of: id)) : nil
    }

    private static func whole(_ value: JSONValue, with part: JSONValue?) -> JSONValue {
        guard let part, let payload = value["jsonpayload"] else { return value }
        // The entry's own values win.
        return value.merged(with: .object([.init(key: "jsonpayload", value: part.merged(with: payload))]))
    }

    /// Returns what identifies an entry: Cloud Logging's IDs are unique among the entries of one time.
    private static func key(_ value: JSONValue, _ id: String) -> String {
        "\(id.bounded(to: 200)) \((value["timestamp"]?.string ?? "").bounded(to: 40))"
    }

    private mutating func isNew(_ id: String) -> Bool {
        guard seen.insert(id).inserted else { return false }
        if order.count < Self.window {
            order.append(id)
        } else {
            seen.remove(order[next])
            order[next] = id
            next = (next + 1) % Self.window
        }
        return true
    }

    /// A value of a file in its spelling.
    struct Original {
        /// The entry, or a restricted part of one.
        let value: JSONValue
        /// The entry; `nil` for a restricted part.
        let entry: LogEntry?
        /// The ID of the entry to which a restricted part belongs; `nil` for an entry.
        let parent: String?
    }

    /// Returns the entries of Fleet Engine in a file and their restricted parts, in its order and its spelling.
    static func originals(in bytes: [UInt8]) -> [Original] {
        var scanner = LogScanner()
        let items = scanner.consume(bytes) + scanner.finish()
        return items.compactMap { item in
            guard case .object(let bytes, _) = item, let value = value(bytes)?.0 else { return nil }
            let content = message(value).flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) } ?? bytes
            guard let entry = Self.value(content)?.0, let original = Self.value(content, normalizesKeys: false)?.0
            else { return nil }
            if let part = restrictedPart(entry) { return Original(value: original, entry: nil, parent: part.0) }
            return LogEntry(entry).map { Original(value: original, entry: $0, parent: nil) }
        }
    }

    /// Returns the content of a message of Pub/Sub in base64; `nil` for another value.
    private static func message(_ value: JSONValue) -> String? {
        value["jsonpayload"] == nil ? (value["message"]?["data"] ?? value["data"])?.string : nil
    }

    /// Returns the entry in a message of Pub/Sub, else the value itself; `nil` for a message that holds something else.
    private static func unwrapped(_ value: JSONValue) -> JSONValue? {
        guard let data = message(value) else { return value }
        return Data(base64Encoded: data).flatMap { Self.value([UInt8]($0))?.0 }
    }

    /// Parses a value; returns it and the number of values in it.
    private static func value(_ bytes: [UInt8], normalizesKeys: Bool = true) -> (JSONValue, Int)? {
        var options = JSONParser.Options()
        options.maximumDepth = LogScanner.maximumDepth
        options.maximumValues = maximumValues
        options.isLenient = true
        options.normalizesKeys = normalizesKeys
        var parser = JSONParser(bytes, options: options)
        // The line is reported; the position in it is not needed.
        guard let value = try? parser.next() else { return nil }
        return (value, parser.values)
    }
}
