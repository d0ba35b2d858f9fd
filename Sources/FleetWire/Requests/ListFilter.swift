/// The subset of AIP-160 filters that the service supports: restrictions such as `state = OPEN`, combined with AND, OR, NOT
/// and parentheses.
///
/// In AIP-160, OR has a higher precedence than AND.
package indirect enum ListFilter: Sendable, Equatable {
    case restriction(Restriction)
    case not(ListFilter)
    case all([ListFilter])
    case any([ListFilter])

    /// One comparison of a property with a value.
    package struct Restriction: Sendable, Equatable {
        /// A comparison of AIP-160.
        package enum Comparison: String, Sendable, CaseIterable {
            case equal = "="
            case notEqual = "!="
            case lessOrEqual = "<="
            case less = "<"
            case greaterOrEqual = ">="
            case greater = ">"

            /// Returns whether it holds for two values.
            func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
                switch self {
                case .equal: left == right
                case .notEqual: left != right
                case .lessOrEqual: left <= right
                case .less: left < right
                case .greaterOrEqual: left >= right
                case .greater: left > right
                }
            }
        }

        /// The path of the property as written, such as `delivery_vehicle_id` or `attributes.color`.
        package var path: String
        package var comparison: Comparison
        /// The value without quotation marks.
        package var value: String
        /// Whether the value was in quotation marks.
        package var isQuoted: Bool

        /// The key of an attribute; `nil` for another property.
        var attributeKey: String? {
            guard path.hasPrefix("attributes.") else { return nil }
            let key = path.dropFirst("attributes.".count)
            return key.isEmpty || key.contains(".") ? nil : String(key)
        }
    }

    /// The maximum number of restrictions.
    package static let maximumRestrictions = 50

    /// Parses a filter; throws ``WireError`` for an invalid one and for more than ``maximumRestrictions`` restrictions.
    package init(_ text: String, expecting form: String = "PROPERTY = VALUE") throws(WireError) {
        var reader = FilterReader(text)
        guard let filter = reader.conjunction(), reader.isAtEnd else {
            throw .unexpected(path: "filter", reason: "\(form) is expected, with AND, OR, ( and )")
        }
        guard reader.restrictions <= Self.maximumRestrictions else {
            throw .unexpected(path: "filter", reason: "more than \(Self.maximumRestrictions) restrictions")
        }
        self = filter
    }

    /// The restrictions in the order of the text.
    package var restrictions: [Restriction] {
        switch self {
        case .restriction(let restriction): [restriction]
        case .not(let filter): filter.restrictions
        case .all(let filters), .any(let filters): filters.flatMap(\.restrictions)
        }
    }

    /// Whether it has a NOT.
    var hasNegation: Bool {
        switch self {
        case .restriction: false
        case .not: true
        case .all(let filters), .any(let filters): filters.contains(where: \.hasNegation)
        }
    }

    /// Returns whether the filter matches, if single restrictions are met as a function says.
    package func matches(_ isMet: (Restriction) -> Bool) -> Bool {
        switch self {
        case .restriction(let restriction): isMet(restriction)
        case .not(let filter): !filter.matches(isMet)
        case .all(let filters): filters.allSatisfy { $0.matches(isMet) }
        case .any(let filters): filters.contains { $0.matches(isMet) }
        }
    }
}

/// Parses a filter.
private struct FilterReader {
    private var rest: Substring
    private(set) var restrictions = 0
    private var depth = 0

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

    mutating func conjunction() -> ListFilter? {
        var parts: [ListFilter] = []
        repeat {
            guard let part = alternatives() else { return nil }
            parts.append(part)
        } while consume("AND")
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func alternatives() -> ListFilter? {
        var parts: [ListFilter] = []
        repeat {
            guard let part = term() else { return nil }
            parts.append(part)
        } while consume("OR")
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func term() -> ListFilter? {
        if consume("NOT ") || consume("-") {
            depth += 1
            guard depth <= 20, let filter = term() else { return nil }
            depth -= 1
            return .not(filter)
        }
        if consume("(") {
            depth += 1
            guard depth <= 20, let filter = conjunction(), consume(")") else { return nil }
            depth -= 1
            return filter
        }
        return restriction()
    }

    private mutating func restriction() -> ListFilter? {
        let path = word(with: "_-.")
        guard !path.isEmpty,
            let comparison = ListFilter.Restriction.Comparison.allCases.first(where: { consume($0.rawValue) })
        else { return nil }
        var restriction = ListFilter.Restriction(path: path, comparison: comparison, value: "", isQuoted: consume("\""))
        if restriction.isQuoted {
            let value = rest.prefix { $0 != "\"" }
            rest = rest.dropFirst(value.count)
            guard rest.first == "\"" else { return nil }
            rest = rest.dropFirst()
            restriction.value = String(value)
        } else {
            restriction.value = word(with: "_-.")
            guard !restriction.value.isEmpty else { return nil }
        }
        restrictions += 1
        return .restriction(restriction)
    }

    /// Reads letters, digits and some other characters.
    private mutating func word(with others: String) -> String {
        rest = rest.drop { $0 == " " }
        let word = rest.prefix { $0.isLetter || $0.isNumber || others.contains($0) }
        rest = rest.dropFirst(word.count)
        return String(word)
    }

    private mutating func consume(_ word: String) -> Bool {
        let trimmed = rest.drop { $0 == " " }
        guard trimmed.hasPrefix(word) else { return false }
        rest = trimmed.dropFirst(word.count)
        return true
    }
}
