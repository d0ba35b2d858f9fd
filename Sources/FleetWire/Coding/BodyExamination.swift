import Foundation
import SwiftProtobuf
import TripModel

/// Finds out what SwiftProtobuf refuses in a body.
///
/// It knows no schema: each part is decoded by SwiftProtobuf on its own, inside of the lists and objects that it is in, until
/// the smallest part is found that is refused. In an answer, values that a newer service may have added are replaced by what the
/// schema can hold; anything else is an error.
struct BodyExamination<Body: Message> {
    /// How unknown names and values are treated.
    enum Policy {
        /// They are kept aside.
        case answer
        /// They are errors.
        case request
    }

    /// The number of fields of a resource that are accepted.
    private static var mostFields: Int { 10_000 }
    /// The number of fields of a message in it that are examined; all have fewer.
    private static var mostNestedFields: Int { 1000 }
    /// The number of refused parts of a body that are examined; unknown names in further ones are omitted.
    private static var mostRefusals: Int { 10_000 }
    /// The maximum length of a key that is looked at, in bytes.
    private static var longestKey: Int { 200 }
    /// The number of unknown fields that are sorted.
    private static var mostSorted: Int { 1000 }

    /// The unknown fields of the resources by their paths.
    private(set) var unknownFields: [String: [UnknownField]] = [:]
    /// The names of unknown enum values.
    private(set) var names = UnknownNames()
    /// The elements of lists beyond their limits.
    private(set) var omitted: [ElementKind: Int] = [:]

    private let body: JSONSplitter
    private let policy: Policy
    private var edits: [(place: Range<Int>, text: [UInt8])] = []
    private var refusals = 0
    /// What is known of the fields, by the paths without indices.
    private var fields: [String: Bool] = [:]
    /// What is expected in places where something was refused, by the paths without indices.
    private var expectations: [String: ExpectedValue] = [:]

    init(_ bytes: [UInt8], _ policy: Policy) {
        (body, self.policy) = (JSONSplitter(bytes: bytes), policy)
    }

    /// The body in a form that SwiftProtobuf accepts, apart from unknown fields.
    var repaired: [UInt8] {
        guard !edits.isEmpty else { return body.bytes }
        var result: [UInt8] = []
        var end = 0
        for edit in edits {
            result += body.bytes[end..<edit.place.lowerBound] + edit.text
            end = edit.place.upperBound
        }
        return result + body.bytes[end...]
    }

    /// Examines the body; throws ``WireError`` for the first value that cannot be repaired.
    mutating func run() throws(WireError) {
        guard let root = body.root else { throw syntaxError }
        guard body.bytes[root.lowerBound] == UInt8(ascii: "{") else {
            let reason = policy == .answer ? "an object is expected" : "the body is not an object"
            throw error(.unexpected(path: "", reason: reason))
        }
        try examineMembers(of: root, at: MessagePath(), in: Frame())
    }

    // MARK: Descent

    private mutating func examineMembers(
        of object: Range<Int>,
        at path: MessagePath,
        in frame: Frame
    ) throws(WireError) {
        guard let members = body.members(of: object) else { throw syntaxError }
        // The message itself, or a trip of a list.
        let isResource = path.pattern.isEmpty || path.pattern == "trips[]"
        guard !isResource || members.count <= Self.mostFields else {
            throw .unexpected(path: "trip", reason: "\(members.count) fields, the limit is \(Self.mostFields)")
        }
        var unknown: [(name: String, value: Range<Int>)] = []
        for member in members.prefix(isResource ? Self.mostFields : Self.mostNestedFields) {
            guard let key = body.scalar(member.key.prefix(Self.longestKey))?.string else {
                // No field has such a long name.
                guard member.key.count > Self.longestKey else { throw syntaxError }
                let key = String(decoding: body.bytes[member.key].prefix(Self.longestKey).dropFirst(), as: UTF8.self)
                if policy == .request { throw error(.unknownName(String(key.prefix(64)), path: path.text)) }
                unknown.append((key, member.value))
                continue
            }
            let place = path.member(FieldMask.camelCase(key[...]))
            let inner = frame.member(body.bytes[member.key])
            if isAccepted("null", at: place, spelled: key, in: inner) {
                try examine(member.value, at: place, in: inner)
            } else if policy == .request {
                throw error(.unknownName(String(key.prefix(64)), path: path.text))
            } else if key == "value", path.isAttribute, !hasText(members) {
                // A trip's attributes have no such field, but those of a vehicle do.
                let textKey = Array(#""stringValue""#.utf8)
                edits.append((member.key, textKey))
                try examine(member.value, at: place, in: frame.member(textKey))
            } else if isResource {
                unknown.append((place.field, member.value))
            }
        }
        guard isResource, !unknown.isEmpty else { return }
        unknownFields[path.text] = unknown.prefix(Self.mostSorted).sorted { $0.name < $1.name }
            .prefix(UnknownField.maximumCount).map { UnknownField(name: $0.name, text: text(of: $0.value)) }
    }

    private mutating func examine(_ value: Range<Int>, at path: MessagePath, in frame: Frame) throws(WireError) {
        guard let refusal = refusal(of: body.bytes[value], in: frame) else { return }
        refusals += 1
        guard refusals <= Self.mostRefusals else { return }
        switch body.bytes[value.lowerBound] {
        case UInt8(ascii: "{") where isAccepted("{}", at: path, spelled: "{}", in: frame):
            try examineMembers(of: value, at: path, in: frame)
            if case .conflictingOneOf = refusal {
                throw error(.unexpected(path: path.text, reason: "exactly one value is expected"))
            }
        case UInt8(ascii: "[") where isAccepted("[]", at: path, spelled: "[]", in: frame):
            try examineElements(of: value, at: path, in: frame)
        default: try refuse(value, at: path, in: frame)
        }
    }

    private mutating func examineElements(of list: Range<Int>, at path: MessagePath, in frame: Frame) throws(WireError)
    {
        guard let elements = body.elements(of: list) else { throw syntaxError }
        let kind = ElementLimits.lists[path.field]
        let limit = kind.map(ElementLimits.maximum) ?? elements.count
        let inner = frame.list
        for (index, element) in elements.prefix(limit).enumerated() {
            try examine(element, at: path.element(index), in: inner)
        }
        guard let kind, elements.count > limit else { return }
        // Elements beyond the limit cost nothing and cause no errors.
        omitted[kind, default: 0] += elements.count - limit
        edits.append((elements[limit - 1].upperBound..<list.upperBound - 1, []))
    }

    // MARK: Values

    private mutating func refuse(_ value: Range<Int>, at path: MessagePath, in frame: Frame) throws(WireError) {
        let expected = expectations[path.pattern] ?? expectation(in: frame)
        expectations[path.pattern] = expected
        let content = body.scalar(value)
        switch (policy, expected, content) {
        case (.answer, .enumeration, .string(let name)?):
            edits.append((value, Array(String(names.number(of: name.boundedName)).utf8)))
        case (.answer, .timestamp, .string(let text)?):
            // RFC 3339 allows small letters, ProtoJSON does not. Anything else counts as missing.
            let time = Timestamp.message(text.uppercased()).map { "\"\($0.version.rawValue)\"" }
            edits.append((value, Array((time ?? "null").utf8)))
        case (.answer, .duration, .string?): edits.append((value, Array("null".utf8)))
        case (.answer, .integer, .number?), (.answer, .number, .number?), (_, _, nil): throw syntaxError
        case (.answer, _, .null?):
            throw error(.unexpected(path: path.text, reason: "null where \(expected.inAnswers) is expected"))
        case (.answer, _, _): throw error(.unexpected(path: path.text, reason: "\(expected.inAnswers) is expected"))
        case (.request, _, .null?): throw error(.unexpected(path: path.text, reason: "null in a list"))
        case (.request, _, let content?):
            let names = expected == .enumeration ? EnumNames.ofFields[path.field]?.all : nil
            let expected = names.map { "one of \($0.joined(separator: ", "))" } ?? expected.inRequests
            throw error(.unexpected(path: path.text, reason: "\(content.shortText) where \(expected) is expected"))
        }
    }

    /// Returns what SwiftProtobuf expects in a place, by what it accepts there.
    private func expectation(in frame: Frame) -> ExpectedValue {
        func isAccepted(_ text: StaticString) -> Bool { refusal(of: text.description.utf8, in: frame) == nil }
        if isAccepted("{}") { return .object }
        if isAccepted("[]") { return .list }
        switch refusal(of: "\"\"".utf8, in: frame) {
        case nil: return .text
        case .unrecognizedEnumValue: return .enumeration
        case .malformedTimestamp: return .timestamp
        case .malformedDuration: return .duration
        default: break
        }
        if isAccepted("true") { return .flag }
        return isAccepted("0.5") ? .number : .integer
    }

    private func refusal(of value: some Sequence<UInt8>, in frame: Frame) -> JSONDecodingError? {
        do {
            _ = try Body(jsonUTF8Bytes: frame.start + Array(value) + frame.end)
            return nil
        } catch {
            return error as? JSONDecodingError ?? .failure
        }
    }

    /// Returns whether a value is accepted in all places with this path.
    private mutating func isAccepted(
        _ value: StaticString,
        at path: MessagePath,
        spelled key: String,
        in frame: Frame
    ) -> Bool {
        let name = "\(path.pattern) \(key)"
        if let known = fields[name] { return known }
        let isAccepted = refusal(of: value.description.utf8, in: frame) == nil
        fields[name] = isAccepted
        return isAccepted
    }

    /// Returns whether an attribute has its text in the right field, or is so long that it is none.
    private func hasText(_ members: [JSONSplitter.Member]) -> Bool {
        members.count > 20 || members.contains { body.bytes[$0.key].elementsEqual(#""stringValue""#.utf8) }
    }

    /// Returns the text of an unknown field.
    private func text(of value: Range<Int>) -> String {
        switch body.bytes[value.lowerBound] {
        case UInt8(ascii: "{"): "{…}"
        case UInt8(ascii: "["): "[…]"
        case UInt8(ascii: "\""): body.scalar(value)?.string ?? "…"
        default: String(decoding: body.bytes[value.prefix(UnknownField.maximumLength + 1)], as: UTF8.self)
        }
    }

    // MARK: Errors

    private var syntaxError: WireError {
        .notJSON(reason: policy == .request ? "the body is not JSON" : JSONBytes.syntaxProblem(in: body.bytes))
    }

    /// Returns the error for a part of the body, unless the whole is not JSON.
    private func error(_ error: WireError) -> WireError {
        JSONBytes.hasSyntaxProblem(body.bytes) ? syntaxError : error
    }
}
