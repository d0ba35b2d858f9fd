import Runtime
import SwiftProtobuf
import Synchronization
import TripModel

/// Removes unknown fields from a body, and elements of lists beyond their limits.
///
/// The names of fields are learned by asking SwiftProtobuf once for each.
struct FieldFilter<Body: Message> {
    /// The number of fields of a resource that are accepted.
    private static var mostFields: Int { 10_000 }
    /// The number of fields of a message in it that are looked at; all have fewer.
    private static var mostNestedFields: Int { 1000 }
    /// The maximum length in bytes of a text that is more than plain ASCII; paths, the only long texts, are not.
    private static var longestText: Int { 10_000 }
    /// The number of unknown fields that are sorted.
    private static var mostSorted: Int { 1000 }

    /// The unknown fields of the resources by their paths, such as `trips[3]`; empty for the message itself.
    private(set) var unknownFields: [String: [UnknownField]] = [:]
    /// The elements of lists beyond their limits.
    private(set) var omitted: [ElementKind: Int] = [:]
    /// The body without them.
    private(set) var kept: [UInt8] = []

    private let body: JSONSplitter
    /// The keys of the objects that the current value is in, and the indices of lists.
    private var places: [Place] = []

    private enum Place {
        case member(ArraySlice<UInt8>)
        case element(Int)
    }

    /// Filters a body; throws ``WireError`` for far too many fields.
    init(_ bytes: [UInt8]) throws(WireError) {
        body = JSONSplitter(bytes: bytes)
        kept.reserveCapacity(bytes.count)
        // What is not JSON is left to the examination.
        if let root = body.root {
            try keep(root, as: FieldNumbers.root(Body.self))
        } else {
            kept = bytes
        }
    }

    private mutating func keep(_ value: Range<Int>, as field: Int) throws(WireError) {
        switch body.bytes[value.lowerBound] {
        case UInt8(ascii: "{"): try keepMembers(of: value, as: field)
        case UInt8(ascii: "["): try keepElements(of: value, as: field)
        default:
            let text = body.bytes[value]
            guard text.count > Self.longestText, text.first == UInt8(ascii: "\""), let end = endOfBeginning(of: text)
            else {
                kept += text
                return
            }
            // Only its beginning is ever used, and decoding the rest several times would take long.
            kept += text[..<end] + Array("…\"".utf8)
        }
    }

    /// Returns where a long text may be cut: at its first escape, or at a later character that is not ASCII.
    private func endOfBeginning(of text: ArraySlice<UInt8>) -> Int? {
        let escape = text.firstIndex(of: UInt8(ascii: "\\"))
        let character = text[..<(escape ?? text.endIndex)].dropFirst(1000).firstIndex { $0 >= 0xC0 }
        return character ?? escape
    }

    private mutating func keepMembers(of object: Range<Int>, as field: Int) throws(WireError) {
        guard let members = body.members(of: object) else {
            kept += body.bytes[object]
            return
        }
        let resource = resource
        guard resource == nil || members.count <= Self.mostFields else {
            throw .unexpected(
                path: "trip",
                reason: "\(members.count) fields, the limit is \(Self.mostFields)"
            )
        }
        var unknown: [(key: String, value: Range<Int>)] = []
        var separator = UInt8(ascii: "{")
        for member in members.prefix(resource == nil ? Self.mostNestedFields : Self.mostFields) {
            let key = String(decoding: body.bytes[member.key].dropFirst().dropLast(), as: UTF8.self)
            var name = body.bytes[member.key]
            var number = number(of: key, name, in: field)
            if number == nil, key == "value", isAttribute, !hasText(members) {
                // A trip's attributes have no such field, but those of a vehicle do.
                name = Array(#""stringValue""#.utf8)[...]
                number = self.number(of: "stringValue", name, in: field)
            }
            guard let number else {
                if resource != nil { unknown.append((key, member.value)) }
                continue
            }
            kept.append(separator)
            separator = UInt8(ascii: ",")
            kept += name
            kept.append(UInt8(ascii: ":"))
            places.append(.member(name))
            try keep(member.value, as: number)
            places.removeLast()
        }
        if separator == UInt8(ascii: "{") { kept.append(separator) }
        kept.append(UInt8(ascii: "}"))
        guard let resource, !unknown.isEmpty else { return }
        unknownFields[resource] = unknown.prefix(Self.mostSorted)
            .map { UnknownField(name: FieldMask.camelCase($0.key.prefix(200)), text: text(of: $0.value)) }
            .sorted { $0.name < $1.name }.prefix(UnknownField.maximumCount).map(\.self)
    }

    private mutating func keepElements(of list: Range<Int>, as field: Int) throws(WireError) {
        guard let elements = body.elements(of: list) else {
            kept += body.bytes[list]
            return
        }
        var limit = elements.count
        if case .member(let key)? = places.last,
            let kind = ElementLimits.lists[
                FieldMask.camelCase(String(decoding: key.dropFirst().dropLast(), as: UTF8.self)[...])
            ]
        {
            limit = min(limit, ElementLimits.maximum(of: kind))
            // Elements beyond the limit cost nothing and cause no errors.
            if limit < elements.count { omitted[kind, default: 0] += elements.count - limit }
        }
        kept.append(UInt8(ascii: "["))
        for (index, element) in elements.prefix(limit).enumerated() {
            if index > 0 { kept.append(UInt8(ascii: ",")) }
            places.append(.element(index))
            try keep(element, as: field)
            places.removeLast()
        }
        kept.append(UInt8(ascii: "]"))
    }

    /// The path of the current object if it is the message itself or a trip of a list.
    private var resource: String? {
        if places.isEmpty { return "" }
        guard places.count == 2, case .element(let index) = places[1],
            case .member(let key) = places[0],
            key.elementsEqual(#""trips""#.utf8)
        else { return nil }
        return "trips[\(index)]"
    }

    /// Whether the current object is an attribute.
    private var isAttribute: Bool {
        guard case .member(let key)? = places.dropLast().last else { return false }
        return key.elementsEqual(#""attributes""#.utf8)
    }

    /// Returns whether an attribute has its text in the right field, or is so long that it is none.
    private func hasText(_ members: [JSONSplitter.Member]) -> Bool {
        members.count > 20
            || members.contains { body.bytes[$0.key].elementsEqual(#""stringValue""#.utf8) }
    }

    /// Returns the number of a field; `nil` if it is unknown.
    private func number(of key: String, _ name: ArraySlice<UInt8>, in field: Int) -> Int? {
        FieldNumbers.number(of: key, in: field) {
            // No field has such a long name.
            guard name.count < 200 else { return false }
            var frame = Frame()
            for place in places {
                switch place {
                case .member(let key): frame = frame.member(key)
                case .element: frame = frame.list
                }
            }
            return frame.member(name).refusal(of: "null".utf8, in: Body.self) == nil
        }
    }

    /// Returns the text of an unknown field.
    private func text(of value: Range<Int>) -> String {
        switch body.bytes[value.lowerBound] {
        case UInt8(ascii: "{"): "{…}"
        case UInt8(ascii: "["): "[…]"
        case UInt8(ascii: "\""): body.scalar(value)?.string ?? "…"
        default:
            String(decoding: body.bytes[value.prefix(UnknownField.maximumLength + 1)], as: UTF8.self)
        }
    }
}

/// Numbers for the known fields, so that SwiftProtobuf looks each up only once.
private enum FieldNumbers {
    private struct Field: Hashable {
        var parent: Int
        var key: String
    }

    /// The number of fields is that of the schema, because unknown ones are not kept.
    private static let numbers = Locked<[Field: Int]>([:])

    /// Returns the number of a message.
    static func root(_ type: any Message.Type) -> Int {
        number(of: type.protoMessageName, in: -1) { true } ?? -1
    }

    /// Returns the number of a field in another one; `nil` if it is unknown.
    static func number(of key: String, in parent: Int, isKnown: () -> Bool) -> Int? {
        let field = Field(parent: parent, key: key)
        if let number = numbers.withLock({ $0[field] }) { return number }
        guard isKnown() else { return nil }
        return numbers.withLock { numbers in
            let number = numbers[field] ?? numbers.count
            numbers[field] = number
            return number
        }
    }
}
