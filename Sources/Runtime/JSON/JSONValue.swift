/// A JSON value without a schema: answers of token endpoints, claims of tokens, log entries, what the inspector shows.
package indirect enum JSONValue: Sendable, Equatable {
    /// One member of an object.
    package struct Member: Sendable, Equatable {
        package var key: String
        package var value: JSONValue
    }

    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// The members in the order of the text.
    case object([Member])

    /// Reads a whole text; `nil` if it is not JSON (RFC 8259), is nested more than 32 deep or has anything after it.
    package init?(_ bytes: [UInt8]) {
        var parser = JSONParser(bytes)
        // For callers it is enough that it is not JSON; ``JSONParser`` has the position of the error.
        guard let value = try? parser.next(), parser.isAtEnd else { return nil }
        self = value
    }

    /// The value of a key of an object; the last one where a key is repeated.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The value at a path of keys, such as `data.token`.
    package subscript(path path: String) -> JSONValue? {
        var value = self
        for key in path.split(separator: ".") {
            guard let next = value[String(key)] else { return nil }
            value = next
        }
        return value
    }

    /// The string, if it is one.
    package var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    /// The number, if it is one.
    package var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}

extension JSONValue: Encodable {
    /// Encodes the value as it was read; whole numbers without a fraction.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for member in members { try container.encode(member.value, forKey: Key(stringValue: member.key)) }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .string(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .number(let value):
            var container = encoder.singleValueContainer()
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
