import FleetWire
import Foundation
import TripModel

/// Reads the entries of a log from a stream of bytes.
///
/// Besides Cloud Logging entries it accepts messages of Pub/Sub, whose `data` holds an entry in base64. Entries that were
/// delivered twice are returned once. A restricted part, which the service logs separately, is merged into its entry if it
/// arrives before it.
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

    /// The number of entries whose IDs and restricted parts are kept.
    private static let window = 4096
    /// The number of values of an entry; Cloud Logging's limit of 256 KiB allows fewer.
    private static let maximumValues = 500_000

    private var scanner = LogScanner()
    /// The IDs of the last entries, and in which order to forget them.
    private var seen: Set<String> = []
    private var order: [String] = []
    private var next = 0
    /// The restricted parts whose entry has not arrived.
    private var restricted: [String: JSONValue] = [:]

    /// Returns the items that end in a chunk of bytes.
    mutating func take(_ bytes: [UInt8]) -> [Item] { scanner.take(bytes).flatMap { items(of: $0) } }

    /// Returns the items that end with the stream.
    mutating func finish() -> [Item] { scanner.finish().flatMap { items(of: $0) } }

    private mutating func items(of item: LogScanner.Item) -> [Item] {
        switch item {
        case .invalid(let line): return [.invalid(line: line)]
        case .object(let bytes, let line):
            guard let value = Self.value(bytes) else { return [.invalid(line: line)] }
            guard let value = Self.unwrapped(value) else { return [.invalid(line: line)] }
            return take(value).map { [$0] } ?? []
        }
    }

    private mutating func take(_ value: JSONValue) -> Item? {
        let payload = value["jsonpayload"]
        if let payload, let parent = (payload["parentinsertid"] ?? value["parentinsertid"])?.string,
            payload["@type"]?.string?.contains("Restricted") ?? true
        {
            if restricted.count >= Self.window { restricted = [:] }
            restricted[parent] = payload
            return nil
        }
        let id = value["insertid"]?.string ?? ""
        var whole = value
        if !id.isEmpty {
            guard isNew(id) else { return nil }
            if let payload, let more = restricted.removeValue(forKey: id) {
                // The entry's own values win.
                whole = value.merged(with: .object([.init(key: "jsonpayload", value: more.merged(with: payload))]))
            }
        }
        return LogEntry(whole).map(Item.entry) ?? .foreign
    }

    private mutating func isNew(_ id: String) -> Bool {
        let id = id.bounded(to: 200)
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

    /// Returns the entry in a message of Pub/Sub, else the value itself; `nil` for a message that holds something else.
    private static func unwrapped(_ value: JSONValue) -> JSONValue? {
        guard value["jsonpayload"] == nil, let data = (value["message"]?["data"] ?? value["data"])?.string else {
            return value
        }
        return Data(base64Encoded: data).flatMap { Self.value([UInt8]($0)) }
    }

    private static func value(_ bytes: [UInt8]) -> JSONValue? {
        var options = JSONParser.Options()
        options.maximumDepth = LogScanner.maximumDepth
        options.maximumValues = maximumValues
        options.isLenient = true
        options.normalizesKeys = true
        var parser = JSONParser(bytes, options: options)
        // The line is reported; the position in it is not needed.
        return (try? parser.next()) ?? nil
    }
}
