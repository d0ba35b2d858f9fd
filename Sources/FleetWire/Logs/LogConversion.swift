import Foundation
package import Runtime
import TripModel

/// Converts a message of a log to ProtoJSON; without side effects.
///
/// The parser has normalized the keys. Unknown fields are left out. A value that its field cannot have is left out, too, so that it
/// costs that field only.
struct LogConversion {
    /// A part of the path of a value.
    private enum Step {
        case key(String)
        case index(Int)
    }

    /// The maximum length in bytes of a text with escapes, which SwiftProtobuf reads slowly.
    private static let longestEscaped = 10_000

    /// The message.
    private(set) var bytes: [UInt8] = []
    /// The values that cannot be read, by the keys of the log.
    private(set) var unreadable: [UnknownField] = []
    /// The names of enum values that the schema does not have.
    private(set) var names = UnknownNames()
    /// The elements of lists beyond their limits.
    private(set) var omitted: [ElementKind: Int] = [:]

    private let isStrict: Bool
    private var path: [Step] = []

    /// Converts a value to the message with a full name.
    ///
    /// If `isStrict`, SwiftProtobuf accepts all texts of the result. Otherwise it refuses the message if a time, a duration or a text
    /// has another form than ProtoJSON's, which is rare and slow to find out in advance.
    init(_ value: JSONValue, to message: String, isStrict: Bool) {
        self.isStrict = isStrict
        guard case .object(let members) = value, let schema = LogSchema.all[message] else {
            bytes = Array("{}".utf8)
            return
        }
        bytes.reserveCapacity(2048)
        appendMembers(members, as: schema)
    }

    // MARK: Objects and lists

    private mutating func appendMembers(_ members: [JSONValue.Member], as schema: LogSchema) {
        bytes.append(UInt8(ascii: "{"))
        var seen: UInt64 = 0
        var hasUnknown = false
        for member in members {
            guard let field = schema.fields[member.key] else {
                hasUnknown = true
                continue
            }
            guard seen & field.bit == 0 else { continue }
            path.append(.key(member.key))
            if appendMember(member.value, as: field) { seen |= field.bit }
            path.removeLast()
        }
        if hasUnknown, let wrapper = schema.wrapper, seen & wrapper.bit == 0, wrapper.hasKey(of: members) {
            _ = appendMember(.object(members), as: wrapper)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends a key and its value; returns `false`, and appends nothing, if the value is none or cannot be read.
    private mutating func appendMember(_ value: JSONValue, as field: LogSchema.Field) -> Bool {
        let start = bytes.count
        separate(after: UInt8(ascii: "{"))
        bytes += field.key
        let content = bytes.count
        let isRead = field.isList ? appendList(value, as: field) : append(value, as: field.kind)
        // An object without any field is the same as none.
        if isRead, bytes.count != content + 2 || bytes[content] != UInt8(ascii: "{") { return true }
        bytes.removeLast(bytes.count - start)
        return false
    }

    private mutating func appendList(_ value: JSONValue, as field: LogSchema.Field) -> Bool {
        guard case .array(let elements) = value else { return false }
        let limit = field.elements.map { ElementLimits.maximum(of: $0) } ?? elements.count
        if let kind = field.elements, elements.count > limit { omitted[kind, default: 0] += elements.count - limit }
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.prefix(limit).enumerated() {
            let start = bytes.count
            separate(after: UInt8(ascii: "["))
            path.append(.index(index))
            if !append(element, as: field.kind) { bytes.removeLast(bytes.count - start) }
            path.removeLast()
        }
        bytes.append(UInt8(ascii: "]"))
        return true
    }

    /// Appends a comma, unless a bracket is the last byte.
    private mutating func separate(after bracket: UInt8) {
        if bytes.last != bracket { bytes.append(UInt8(ascii: ",")) }
    }

    // MARK: Values

    /// Appends a value; returns `false` if it is none or cannot be read.
    private mutating func append(_ value: JSONValue, as kind: LogSchema.Kind) -> Bool {
        switch (kind, value) {
        case (.message(let name), .object(let members)):
            guard let schema = LogSchema.all[name] else { return false }
            appendMembers(members, as: schema)
            return true
        case (.flag, .bool(let flag)):
            bytes += (flag ? "true" : "false").utf8
            return true
        case (.enumeration(let values), .string(let text)):
            guard !text.isEmpty else { return false }
            append(values.number(of: text, &names))
            return true
        case (.enumeration, .number):
            guard let number = value.logNumber else { return false }
            append(Int(number.rounded()))
            return true
        case (.text, .string(let text)): return append(text)
        case (.message, _), (.flag, _), (.enumeration, _), (.text, _), (_, .null), (_, .string("")): return false
        case (.point, _): return appendPoint(value) ?? refuse(value)
        case (.number, _), (.integer, _), (.heading, _): return appendNumber(value, as: kind)
        case (.tripID, .string(let text)): return (try? TripID(text)) == nil ? refuse(value) : append(text)
        case (.vehicleID, .string(let text)): return (try? VehicleID(text)) == nil ? refuse(value) : append(text)
        case (.timestamp, .string(let text)):
            return isStrict && Timestamp.message(text) == nil ? refuse(value) : append(text)
        case (.duration, .string(let text)):
            return isStrict && DurationText.duration(text) == nil ? refuse(value) : append(text)
        case (.tripID, _), (.vehicleID, _), (.timestamp, _), (.duration, _): return refuse(value)
        }
    }

    private mutating func append(_ number: Int) { bytes += String(number).utf8 }

    /// Appends a number, which may be the value of a wrapping object.
    private mutating func appendNumber(_ value: JSONValue, as kind: LogSchema.Kind) -> Bool {
        var value = value
        if case .object = value {
            guard let inner = value["value"] else { return false }
            value = inner
        }
        guard let number = value.logNumber else { return refuse(value) }
        switch kind {
        case .number: bytes += "\(number)".utf8
        case .heading where !(0..<360).contains(number.rounded()): return refuse(value)
        default: append(Int(number.rounded()))
        }
        return true
    }

    /// Appends a `LatLng`, of which one number may be omitted because it is zero.
    ///
    /// Returns `false` for an object without any, which is no point, and `nil` for one that cannot be read.
    private mutating func appendPoint(_ value: JSONValue) -> Bool? {
        guard case .object = value else { return nil }
        let given = (latitude: value["latitude"], longitude: value["longitude"])
        guard given.latitude != nil || given.longitude != nil else { return false }
        let (latitude, longitude) = (given.latitude?.logNumber, given.longitude?.logNumber)
        guard latitude != nil || longitude != nil else { return nil }
        guard Coordinate(latitude: latitude ?? 0, longitude: longitude ?? 0).isValid else { return nil }
        bytes += #"{"latitude":"#.utf8
        bytes += "\(latitude ?? 0)".utf8
        bytes += #","longitude":"#.utf8
        bytes += "\(longitude ?? 0)".utf8
        bytes.append(UInt8(ascii: "}"))
        return true
    }

    /// Appends a text; returns `false` if it has escapes and is too long.
    private mutating func append(_ text: String) -> Bool {
        let start = bytes.count
        bytes.append(UInt8(ascii: "\""))
        bytes += text.utf8
        if isStrict || JSONBytes.needsEscapes(bytes, from: start + 1) {
            bytes.removeLast(bytes.count - start - 1)
            let isLong = text.utf8.count > Self.longestEscaped
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    if isLong { return false }
                    bytes += [UInt8(ascii: "\\"), byte]
                case 0..<0x20:
                    if isLong { return false }
                    bytes += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
                    bytes += String(byte, radix: 16).utf8
                default: bytes.append(byte)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return true
    }

    // MARK: Unreadable values

    /// Notes a value that cannot be read; returns `false`.
    private mutating func refuse(_ value: JSONValue) -> Bool {
        guard unreadable.count < UnknownField.mostUnreadable else { return false }
        let name = path.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
        unreadable.append(UnknownField(name: name, text: value.unreadableText))
        return false
    }
}

extension LogSchema.Field {
    /// Whether its message has a field with the key of any member.
    fileprivate func hasKey(of members: [JSONValue.Member]) -> Bool {
        switch kind {
        case .point: members.contains { $0.key == "latitude" || $0.key == "longitude" }
        case .message(let name):
            LogSchema.all[name].map { schema in members.contains { schema.fields[$0.key] != nil } } ?? false
        default: false
        }
    }
}

extension JSONValue {
    /// The number of a log, also where it is written as a string; `nil` beyond ±10⁹, which exceeds every field used here.
    package var logNumber: Double? {
        let number: Double? =
            switch self {
            case .number(let number): number
            case .string(let text): Double(decimal: text)
            default: nil
            }
        return number.flatMap { abs($0) <= 1e9 ? $0 : nil }
    }

    /// The text of a value that cannot be read.
    fileprivate var unreadableText: String {
        switch self {
        case .string(let text): return text
        case .number(let number): return "\(number)"
        case .bool(let flag): return "\(flag)"
        case .array: return "[…]"
        case .null: return "null"
        case .object:
            let numbers = ["latitude", "longitude"].compactMap { self[$0]?.unreadableText }
            return numbers.isEmpty ? "{…}" : numbers.joined(separator: ", ")
        }
    }
}
