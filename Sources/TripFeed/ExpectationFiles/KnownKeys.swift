import Runtime

extension Decoder {
    /// Throws if a mapping has an unknown key, which is probably a typo.
    package func refuseOtherKeys<Key: CodingKey & CaseIterable>(than type: Key.Type) throws {
        try refuseOtherKeys(than: type.allCases.map(\.stringValue))
    }

    /// Throws if a mapping has an unknown key, which is probably a typo.
    package func refuseOtherKeys(than known: [String]) throws {
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath + [key],
                    debugDescription: .unknown(key.stringValue, known)
                )
            )
        }
    }
}

/// A value from a mapping without unknown keys.
package struct OnlyKnownKeys<Value: Decodable, Key: CodingKey & CaseIterable>: Decodable {
    /// The value.
    package let value: Value

    package init(from decoder: any Decoder) throws {
        try decoder.refuseOtherKeys(than: Key.self)
        value = try Value(from: decoder)
    }
}

/// Any key.
package struct AnyKey: CodingKey, ExpressibleByStringLiteral {
    package var stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init(stringLiteral value: String) { stringValue = value }
    package init?(intValue: Int) { nil }
}

extension String {
    /// Returns the message about an unknown name, with the name that is probably meant.
    package static func unknown(_ name: String, _ known: [String]) -> String {
        let hint = Spelling.nearest(to: name, among: known).map { "did you mean \($0)? " } ?? ""
        return "\(name.prefix(40)) is unknown; \(hint)valid names: \(known.joined(separator: ", "))"
    }
}
