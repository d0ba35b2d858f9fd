import Foundation
import TripModel

/// The schema of a ProtoJSON value; requests are validated against it, answers are not.
package indirect enum ProtoShape: Sendable {
    case text
    case flag
    /// An `int32`: a number or a string of digits.
    case integer
    /// A `double`: a number or a string, including `NaN` and infinities.
    case number
    case timestamp
    case duration
    /// An enum by its numbers; names or numbers are accepted, names are returned.
    case names([Int: String])
    /// A message by the camelCase names of its fields.
    case message([String: ProtoShape])
    case list(ProtoShape)
}

/// Parses request bodies as Google's servers do.
///
/// Names may be in camelCase or snake_case, enums may be names or numbers, numbers may be strings, and `null` means "not set".
/// Unknown fields are rejected.
package enum RequestBody {
    /// Returns the body in canonical form: camelCase names, enum names, numbers, no `null`.
    ///
    /// Throws ``WireError`` with the path of the first error.
    package static func normalized(_ body: [UInt8], as fields: [String: ProtoShape]) throws(WireError) -> [UInt8] {
        let node: JSONNode
        do {
            node = try JSONDecoder().decode(JSONNode.self, from: Data(body))
        } catch {
            throw .notJSON(reason: "the body is not JSON")
        }
        guard let value = try ProtoShape.message(fields).normalized(node, at: "") else {
            throw .unexpected(path: "", reason: "the body is not an object")
        }
        return JSONBytes.encode(value)
    }

    /// Decodes a normalized body; also throws ``WireError`` if a list exceeds ``ElementLimits``.
    static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws(WireError) -> Value {
        let budget = ElementBudget()
        let value = try JSONBytes.decode(type, from: body, within: budget)
        if let kind = budget.omitted.first?.kind {
            throw .unexpected(path: kind.rawValue, reason: "more than \(ElementLimits.maximum(of: kind))")
        }
        return value
    }
}

extension ProtoShape {
    /// Returns a value in canonical form; `nil` for `null`.
    fileprivate func normalized(_ node: JSONNode, at path: String) throws(WireError) -> JSONNode? {
        switch (self, node) {
        case (_, .null): return nil
        case (.text, .text), (.flag, .flag): return node
        case (.integer, _):
            guard let number = Self.number(node), let whole = Int32(exactly: number) else { break }
            return .number(Double(whole))
        case (.number, .number): return node
        case (.number, .text(let text)):
            if ["NaN", "Infinity", "-Infinity"].contains(text) { return node }
            guard let number = Double(text), number.isFinite else { break }
            return .number(number)
        case (.timestamp, .text(let text)): if Timestamp.date(text) != nil { return node }
        case (.duration, .text(let text)): if DurationText.duration(text) != nil { return node }
        case (.names(let names), .text(let name)): if names.values.contains(name) { return node }
        case (.names(let names), .number(let number)):
            if let name = Int(exactly: number).flatMap({ names[$0] }) { return .text(name) }
        case (.list(let shape), .list(let nodes)):
            var values: [JSONNode] = []
            for (index, element) in nodes.enumerated() {
                guard let value = try shape.normalized(element, at: "\(path)[\(index)]") else {
                    throw .unexpected(path: "\(path)[\(index)]", reason: "null in a list")
                }
                values.append(value)
            }
            return .list(values)
        case (.message(let fields), .object(let members)):
            var values: [String: JSONNode] = [:]
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                let field = FieldMask.camelCase(name[...])
                guard let shape = fields[field] else { throw .unknownName(String(name.prefix(64)), path: path) }
                let place = path.isEmpty ? field : "\(path).\(field)"
                if values[field] != nil { throw .unexpected(path: place, reason: "given twice") }
                values[field] = try shape.normalized(member, at: place)
            }
            return .object(values)
        default: break
        }
        throw .unexpected(path: path, reason: "\(node.kind) where \(kind) is expected")
    }

    private static func number(_ node: JSONNode) -> Double? {
        switch node {
        case .number(let number): number
        case .text(let text): Double(text)
        case .null, .flag, .list, .object: nil
        }
    }

    private var kind: String {
        switch self {
        case .text: "a string"
        case .flag: "a boolean"
        case .integer: "a whole number of 32 bits"
        case .number: "a number"
        case .timestamp: "a timestamp of RFC 3339"
        case .duration: "a duration such as \"3.5s\""
        case .names(let names): "one of \(names.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", "))"
        case .message: "an object"
        case .list: "a list"
        }
    }
}

/// Any JSON value.
private enum JSONNode: Codable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONNode])
    case object([String: JSONNode])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The type is not known in advance: each one is tried, and a failure means that it is another type.
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONNode].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONNode].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }

    /// The type for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .flag: "a boolean"
        case .number(let number): "\(number)"
        case .text(let text): "\"\(text.prefix(40))\""
        case .list: "a list"
        case .object: "an object"
        }
    }
}
