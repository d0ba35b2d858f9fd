package import TripModel

/// Which attributes a vehicle must have (reference, section 2.2).
package struct AttributeRequirement: Sendable, Equatable {
    /// Each of these.
    package var all: [Attribute]
    /// At least one of each list.
    package var oneOf: [[Attribute]]
    /// All of at least one list.
    package var oneSetOf: [[Attribute]]
    /// An expression.
    package var filter: AttributeFilter?

    /// Throws ``WireError`` for more than 50 required ones, for a filter beside them, and for one that can't be read.
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

    /// Attributes as ListVehicles writes them: `key:value`, those of one list with `|` between them.
    package static func list(_ text: String, _ path: String) throws(WireError) -> [Attribute] {
        var attributes: [Attribute] = []
        for pair in text.split(separator: "|", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw .unexpected(path: path, reason: "key:value is expected") }
            attributes.append(Attribute(key: String(parts[0]), value: .text(String(parts[1]))))
        }
        return attributes
    }

    /// Whether attributes meet it; values are compared as text.
    package func isMet(by attributes: [Attribute]) -> Bool {
        let has = { (wanted: Attribute) in
            attributes.contains { $0.key == wanted.key && $0.value.text == wanted.value.text }
        }
        return all.allSatisfy(has) && oneOf.allSatisfy { $0.contains(where: has) }
            && (oneSetOf.isEmpty || oneSetOf.contains { $0.allSatisfy(has) })
            && filter?.matches(attributes) != false
    }
}

/// A filter of AIP-160 as far as the service has it: `attributes.KEY = "VALUE"` with AND, OR and parentheses.
package indirect enum AttributeFilter: Sendable, Equatable {
    case equals(key: String, value: String)
    case all([AttributeFilter])
    case any([AttributeFilter])

    /// At most 50 restrictions; throws ``WireError`` for anything else.
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

/// Reads a filter; in AIP-160 OR binds closer than AND.
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
