package import TripModel

/// The attributes that a vehicle must have.
package struct AttributeRequirement: Sendable, Equatable {
    /// All of these are required.
    package var all: [Attribute]
    /// At least one attribute of each list is required.
    package var oneOf: [[Attribute]]
    /// All attributes of at least one list are required.
    package var oneSetOf: [[Attribute]]
    /// A filter expression.
    package var filter: AttributeFilter?

    /// Creates a requirement; throws ``WireError`` for more than 50 attributes, a filter together with attributes or an invalid
    /// filter.
    package init(
        all: [Attribute] = [],
        oneOf: [[Attribute]] = [],
        oneSetOf: [[Attribute]] = [],
        filter: String? = nil
    ) throws(WireError) {
        guard all.count + oneOf.joined().count + oneSetOf.joined().count <= 50 else {
            throw .unexpected(path: "requiredAttributes", reason: "more than 50 attributes")
        }
        self.all = all
        self.oneOf = oneOf
        self.oneSetOf = oneSetOf
        if let filter, !filter.isEmpty {
            guard all.isEmpty, oneOf.isEmpty, oneSetOf.isEmpty else {
                throw .unexpected(path: "filter", reason: "not together with required attributes")
            }
            self.filter = try AttributeFilter(filter)
        }
    }

    /// Parses attributes in the format of ListVehicles: `key:value`, separated by `|` within a list.
    package static func list(_ text: String, _ path: String) throws(WireError) -> [Attribute] {
        var attributes: [Attribute] = []
        for pair in text.split(separator: "|", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw .unexpected(path: path, reason: "key:value is expected") }
            attributes.append(Attribute(key: String(parts[0]), value: .text(String(parts[1]))))
        }
        return attributes
    }

    /// Returns whether attributes match; values are compared as text.
    package func isMet(by attributes: [Attribute]) -> Bool {
        let has = { (wanted: Attribute) in
            attributes.contains { $0.key == wanted.key && $0.value.text == wanted.value.text }
        }
        return all.allSatisfy(has) && oneOf.allSatisfy { $0.contains(where: has) }
            && (oneSetOf.isEmpty || oneSetOf.contains { $0.allSatisfy(has) })
            && filter?.matches(attributes) != false
    }
}

/// The subset of AIP-160 filters that the service supports: `attributes.KEY = "VALUE"` with AND, OR and parentheses.
package indirect enum AttributeFilter: Sendable, Equatable {
    case equals(key: String, value: String)
    case all([AttributeFilter])
    case any([AttributeFilter])

    /// Parses at most 50 restrictions; throws ``WireError`` for invalid filters.
    package init(_ text: String) throws(WireError) {
        var reader = FilterReader(text)
        guard let filter = reader.disjunction(), reader.isAtEnd else {
            throw .unexpected(path: "filter", reason: "attributes.KEY = \"VALUE\" is expected, with AND, OR, ( and )")
        }
        guard reader.restrictions <= 50 else { throw .unexpected(path: "filter", reason: "more than 50 restrictions") }
        self = filter
    }

    func matches(_ attributes: [Attribute]) -> Bool {
        switch self {
        case .equals(let key, let value): attributes.contains { $0.key == key && $0.value.text == value }
        case .all(let filters): filters.allSatisfy { $0.matches(attributes) }
        case .any(let filters): filters.contains { $0.matches(attributes) }
        }
    }
}

/// Parses a filter; in AIP-160, OR has a higher precedence than AND.
private struct FilterReader {
    private var rest: Substring
    private(set) var restrictions = 0
    private var depth = 0

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

    mutating func disjunction() -> AttributeFilter? {
        var parts: [AttributeFilter] = []
        repeat {
            guard let part = alternatives() else { return nil }
            parts.append(part)
        } while take("AND")
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func alternatives() -> AttributeFilter? {
        var parts: [AttributeFilter] = []
        repeat {
            guard let part = restriction() else { return nil }
            parts.append(part)
        } while take("OR")
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func restriction() -> AttributeFilter? {
        if take("(") {
            depth += 1
            guard depth <= 20, let filter = disjunction(), take(")") else { return nil }
            depth -= 1
            return filter
        }
        guard take("attributes.") else { return nil }
        let key = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        rest = rest.dropFirst(key.count)
        guard !key.isEmpty, take("="), take("\"") else { return nil }
        let value = rest.prefix { $0 != "\"" }
        rest = rest.dropFirst(value.count)
        guard rest.first == "\"" else { return nil }
        rest = rest.dropFirst()
        restrictions += 1
        return .equals(key: String(key), value: String(value))
    }

    private mutating func take(_ word: String) -> Bool {
        let trimmed = rest.drop { $0 == " " }
        guard trimmed.hasPrefix(word) else { return false }
        rest = trimmed.dropFirst(word.count)
        return true
    }
}
