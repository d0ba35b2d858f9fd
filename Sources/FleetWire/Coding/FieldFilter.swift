import Runtime
import TripModel

/// Removes unknown fields from a body, and elements of lists beyond their limits.
struct FieldFilter {
    /// The number of fields of a resource that are accepted.
    private static let mostFields = 10_000
    /// The number of fields of a message in it that are examined; all messages have fewer.
    private static let mostNestedFields = 1000
    /// The maximum length in bytes of a text that is more than plain ASCII; paths, the only long texts, are not.
    private static let longestText = 10_000
    /// The number of unknown fields that are sorted.
    private static let mostSorted = 1000
    /// The maximum length in bytes of a key that may be the name of a field, with its quotation marks and escapes.
    private static let longestName = 199

    /// The unknown fields of the resources by their paths, such as `trips[3]`; empty for the message itself.
    private(set) var unknownFields: [String: [UnknownField]] = [:]
    /// The elements of lists beyond their limits.
    private(set) var omitted: [ElementKind: Int] = [:]
    /// The body without them.
    private(set) var copied: [UInt8] = []
    /// Whether anything but white space was removed or shortened.
    private(set) var isChanged = false

    private let body: JSONSplitter

    /// Where a value is.
    private struct Place {
        /// The field with the value or with the list that contains it; `nil` for the body, and where no value is expected.
        var field: MessageSchema.Field?
        /// The message that is expected; `nil` where none is.
        var message: MessageSchema?
        /// The path of the message itself and of each trip of a list, without the index where the list is expected.
        var resource: String?

        /// Whether the value is an element of a list of attributes.
        var isAttribute: Bool { field.map { !$0.isList && $0.name == "attributes" } ?? false }
    }

    /// Filters a body; throws ``WireError`` for far too many fields.
    init(_ bytes: [UInt8], of message: MessageSchema) throws(WireError) {
        body = JSONSplitter(bytes: bytes)
        copied.reserveCapacity(bytes.count)
        // What is not JSON is left to the examination.
        if let root = body.root {
            try copy(root, at: Place(message: message, resource: ""))
        } else {
            copied = bytes
        }
    }

    private mutating func copy(_ value: Range<Int>, at place: Place) throws(WireError) {
        switch body.bytes[value.lowerBound] {
        case UInt8(ascii: "{"): try copyMembers(of: value, at: place)
        case UInt8(ascii: "["): try copyElements(of: value, at: place)
        default:
            let text = body.bytes[value]
            guard text.count > Self.longestText, text.first == UInt8(ascii: "\""), let end = endOfBeginning(of: text)
            else {
                copied += text
                return
            }
            // Only its beginning is ever used, and decoding the rest several times would take long.
            copied += text[..<end] + Array("…\"".utf8)
            isChanged = true
        }
    }

    /// Returns where a long text may be cut: at its first escape, or at a later character that is not ASCII.
    private func endOfBeginning(of text: ArraySlice<UInt8>) -> Int? {
        let escape = text.firstIndex(of: UInt8(ascii: "\\"))
        let character = text[..<(escape ?? text.endIndex)].dropFirst(1000).firstIndex { $0 >= 0xC0 }
        return character ?? escape
    }

    private mutating func copyMembers(of object: Range<Int>, at place: Place) throws(WireError) {
        guard let members = body.members(of: object) else {
            copied += body.bytes[object]
            return
        }
        let resource = place.message == nil ? nil : place.resource
        guard resource == nil || members.count <= Self.mostFields else {
            throw .unexpected(
                path: "trip",
                reason: "\(members.count) fields, the limit is \(Self.mostFields)"
            )
        }
        let limit = resource == nil ? Self.mostNestedFields : Self.mostFields
        if members.count > limit { isChanged = true }
        var unknown: [(key: String, value: Range<Int>)] = []
        var separator = UInt8(ascii: "{")
        for member in members.prefix(limit) {
            let key = String(decoding: body.bytes[member.key].dropFirst().dropLast(), as: UTF8.self)
            var name = body.bytes[member.key]
            var field = field(member.key, key, of: place.message)
            if field == nil, key == "value", place.isAttribute, !hasText(members) {
                // A trip's attributes have no such field, but a vehicle's attributes do.
                name = Array(#""stringValue""#.utf8)[...]
                field = place.message?["stringValue"]
                isChanged = true
            }
            guard let field else {
                isChanged = true
                if resource != nil { unknown.append((key, member.value)) }
                continue
            }
            copied.append(separator)
            separator = UInt8(ascii: ",")
            copied += name
            copied.append(UInt8(ascii: ":"))
            let isTripList = resource == "" && field.name == "trips"
            try copy(
                member.value,
                at: Place(field: field, message: field.message, resource: isTripList ? field.name : nil)
            )
        }
        if separator == UInt8(ascii: "{") { copied.append(separator) }
        copied.append(UInt8(ascii: "}"))
        guard let resource, !unknown.isEmpty else { return }
        unknownFields[resource] = unknown.prefix(Self.mostSorted)
            .map { UnknownField(name: FieldMask.camelCase($0.key.prefix(200)), text: text(of: $0.value)) }
            .sorted { $0.name < $1.name }.prefix(UnknownField.maximumCount).map(\.self)
    }

    private mutating func copyElements(of list: Range<Int>, at place: Place) throws(WireError) {
        guard let elements = body.elements(of: list) else {
            copied += body.bytes[list]
            return
        }
        var limit = elements.count
        if let field = place.field, field.isList, let kind = ElementLimits.lists[field.name] {
            limit = min(limit, ElementLimits.maximum(of: kind))
            // Elements beyond the limit cost nothing and cause no errors.
            if limit < elements.count {
                omitted[kind, default: 0] += elements.count - limit
                isChanged = true
            }
        }
        let element = place.field.flatMap { $0.isList ? $0.element : nil }
        var inner = Place(field: element, message: element?.message)
        copied.append(UInt8(ascii: "["))
        for (index, element) in elements.prefix(limit).enumerated() {
            if index > 0 { copied.append(UInt8(ascii: ",")) }
            inner.resource = place.resource.map { "\($0)[\(index)]" }
            try copy(element, at: inner)
        }
        copied.append(UInt8(ascii: "]"))
    }

    /// Returns whether an attribute has its text in the right field, or is so long that it is none.
    private func hasText(_ members: [JSONSplitter.Member]) -> Bool {
        members.count > 20
            || members.contains { body.bytes[$0.key].elementsEqual(#""stringValue""#.utf8) }
    }

    /// Returns the field with a key, which may have escapes; `nil` if it is unknown.
    private func field(_ place: Range<Int>, _ key: String, of message: MessageSchema?) -> MessageSchema.Field? {
        if let field = message?[key] { return field }
        guard place.count <= Self.longestName, key.utf8.contains(UInt8(ascii: "\\")) else { return nil }
        return body.scalar(place)?.string.flatMap { message?[$0] }
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
