import Foundation
import Runtime
import SwiftProtobuf
import TripModel

/// Finds out what SwiftProtobuf refuses in a body.
///
/// Each part is decoded by SwiftProtobuf on its own, inside of the lists and objects that it is in, until the smallest part is
/// found that is refused. The schema has what is expected there. In an answer, values that a newer service may have added are replaced by what the
/// schema can hold; anything else is an error.
struct BodyExamination<Body: Message> {
    /// How unknown names and values are treated.
    enum Policy {
        /// They are removed and stored separately.
        case answer
        /// They are errors.
        case request
    }

    /// The number of refused parts of a body that are examined; unknown names in further ones are omitted.
    private static var mostRefusals: Int { 10_000 }

    /// The names of unknown enum values.
    private(set) var names = UnknownNames()
    /// The times and durations that have another form than ProtoJSON's, so that they count as missing, by their paths.
    private(set) var unreadable: [UnknownField] = []

    /// The whole body, for the places of errors.
    private let source: [UInt8]
    private let body: JSONSplitter
    private let policy: Policy
    private var edits: [(place: Range<Int>, text: [UInt8])] = []
    private var refusals = 0

    /// Examines a body; the unknown fields of an answer have been removed before.
    init(_ bytes: [UInt8], of source: [UInt8], _ policy: Policy) {
        (body, self.source, self.policy) = (JSONSplitter(bytes: bytes), source, policy)
    }

    /// The body in a form that SwiftProtobuf accepts.
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
        try examineMembers(of: root, at: MessagePath(), as: MessageSchema(Body.self), in: Frame())
    }

    // MARK: Descent

    private mutating func examineMembers(
        of object: Range<Int>,
        at path: MessagePath,
        as message: MessageSchema,
        in frame: Frame
    ) throws(WireError) {
        guard let members = body.members(of: object) else { throw syntaxError }
        for member in members {
            guard let key = body.scalar(member.key)?.string else { throw syntaxError }
            // Only a request has unknown fields: the filter has removed the unknown fields of an answer.
            guard let field = message[key] else {
                throw error(.unknownName(String(key.prefix(64)), path: path.text))
            }
            let inner = frame.member(body.bytes[member.key])
            try examine(member.value, at: path.member(field.name), as: field, in: inner)
        }
    }

    private mutating func examine(
        _ value: Range<Int>,
        at path: MessagePath,
        as field: MessageSchema.Field,
        in frame: Frame
    ) throws(WireError) {
        guard let refusal = frame.refusal(of: body.bytes[value], in: Body.self) else { return }
        refusals += 1
        guard refusals <= Self.mostRefusals else { return }
        let opening = body.bytes[value.lowerBound]
        if opening == UInt8(ascii: "{"), let message = field.message {
            try examineMembers(of: value, at: path, as: message, in: frame)
            if case .conflictingOneOf = refusal {
                throw error(.unexpected(path: path.text, reason: "exactly one value is expected"))
            }
        } else if opening == UInt8(ascii: "["), field.isList {
            guard let elements = body.elements(of: value) else { throw syntaxError }
            for (index, element) in elements.enumerated() {
                try examine(element, at: path.element(index), as: field.element, in: frame.list)
            }
        } else {
            try refuse(value, at: path, as: field)
        }
    }

    // MARK: Values

    private mutating func refuse(
        _ value: Range<Int>,
        at path: MessagePath,
        as field: MessageSchema.Field
    ) throws(WireError) {
        let expected = field.expected
        let content = body.scalar(value)
        switch (policy, expected, content) {
        case (.answer, .enumeration, .string(let name)?):
            edits.append((value, Array(String(names.number(of: name.boundedName)).utf8)))
        case (.answer, .timestamp, .string(let text)?):
            // RFC 3339 allows small letters, ProtoJSON does not. Anything else counts as missing.
            let time = Timestamp.message(text.uppercased()).map { "\"\($0.version.rawValue)\"" }
            if time == nil { note(text, at: path) }
            edits.append((value, Array((time ?? "null").utf8)))
        case (.answer, .duration, .string(let text)?):
            note(text, at: path)
            edits.append((value, Array("null".utf8)))
        case (.answer, .integer, .number?), (.answer, .number, .number?), (_, _, nil): throw syntaxError
        case (.answer, _, .null?):
            throw error(.unexpected(path: path.text, reason: "null where \(expected.inAnswers) is expected"))
        case (.answer, _, _): throw error(.unexpected(path: path.text, reason: "\(expected.inAnswers) is expected"))
        case (.request, _, .null?): throw error(.unexpected(path: path.text, reason: "null in a list"))
        case (.request, _, let content?):
            let names = field.enumNames?.all
            let expected = names.map { "one of \($0.joined(separator: ", "))" } ?? expected.inRequests
            throw error(.unexpected(path: path.text, reason: "\(content.shortText) where \(expected) is expected"))
        }
    }

    private mutating func note(_ text: String, at path: MessagePath) {
        guard unreadable.count < UnknownField.mostUnreadable else { return }
        unreadable.append(UnknownField(name: path.text, text: text))
    }

    // MARK: Errors

    private var syntaxError: WireError {
        .notJSON(reason: policy == .request ? "the body is not JSON" : JSONBytes.syntaxProblem(in: source))
    }

    /// Returns the error for a part of the body, unless the whole is not JSON.
    private func error(_ error: WireError) -> WireError {
        JSONBytes.hasSyntaxProblem(source) ? syntaxError : error
    }
}
