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

/// The filters on attributes that the service supports: `attributes.KEY = "VALUE"` with AND, OR and parentheses.
package struct AttributeFilter: Sendable, Equatable {
    private let filter: ListFilter

    /// Parses at most 50 restrictions; throws ``WireError`` for invalid filters.
    package init(_ text: String) throws(WireError) {
        let form = "attributes.KEY = \"VALUE\""
        filter = try ListFilter(text, expecting: form)
        let isValid = filter.restrictions.allSatisfy {
            $0.attributeKey != nil && $0.comparison == .equal && $0.isQuoted
        }
        guard isValid, !filter.hasNegation else {
            throw .unexpected(path: "filter", reason: "\(form) is expected, with AND, OR, ( and )")
        }
    }

    /// Returns whether attributes match; values are compared as text.
    package func matches(_ attributes: [Attribute]) -> Bool {
        filter.matches { restriction in
            attributes.contains { $0.key == restriction.attributeKey && $0.value.text == restriction.value }
        }
    }
}
