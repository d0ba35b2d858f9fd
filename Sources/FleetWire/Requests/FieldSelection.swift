package import Runtime

/// The fields of an answer that a caller wants: the system parameters `fields` and `$fields` and the header `X-Goog-FieldMask`.
///
/// Paths are separated by commas, the names in a path by `/` or `.`. Fields of the same message may share their beginning,
/// `a(b,c)`, and `*` is every field. Names are in camelCase or snake_case.
package struct FieldSelection: Sendable, Equatable {
    /// The selected fields by their names in camelCase; empty for the whole value.
    private(set) var fields: [String: FieldSelection] = [:]

    /// The maximum number of names in a path; the messages of the service are less deep.
    private static let maximumDepth = 20

    private init() {}

    /// Parses a selection; `nil` if it is not valid.
    package init?(_ text: String) {
        var reader = Reader(rest: text[...])
        guard let paths = reader.list(depth: 0), reader.rest.isEmpty else { return nil }
        for path in paths { insert(path[...]) }
    }

    private mutating func insert(_ path: ArraySlice<String>) {
        guard let name = path.first else { return }
        let isNew = fields[name] == nil
        var field = fields[name] ?? FieldSelection()
        if path.count == 1 {
            // The whole field includes its parts.
            field.fields = [:]
        } else if isNew || !field.fields.isEmpty {
            field.insert(path.dropFirst())
        }
        fields[name] = field
    }

    /// Returns the selected fields of a value, and of each element of a list.
    package func apply(to value: JSONValue) -> JSONValue { selected(of: value) ?? .object([]) }

    /// Returns the selected part of a value; `nil` if it has none of the fields.
    private func selected(of value: JSONValue) -> JSONValue? {
        guard !fields.isEmpty else { return value }
        switch value {
        case .object(let members):
            return .object(
                members.compactMap { member in
                    let selections = [fields[member.key], fields["*"]].compactMap(\.self)
                    guard let selection = selections.first(where: \.fields.isEmpty) ?? FieldSelection(union: selections)
                    else { return nil }
                    return selection.selected(of: member.value).map { .init(key: member.key, value: $0) }
                }
            )
        case .array(let elements): return .array(elements.compactMap { selected(of: $0) })
        case .null, .bool, .number, .string: return nil
        }
    }

    private init?(union selections: [FieldSelection]) {
        guard let first = selections.first else { return nil }
        self = first
        for selection in selections.dropFirst() {
            fields.merge(selection.fields) { one, other in
                one.fields.isEmpty || other.fields.isEmpty
                    ? FieldSelection() : FieldSelection(union: [one, other]) ?? one
            }
        }
    }
}

extension FieldSelection {
    /// Reads the paths of a selection.
    private struct Reader {
        var rest: Substring

        /// Reads paths up to the end or to a closing parenthesis.
        mutating func list(depth: Int) -> [[String]]? {
            var paths: [[String]] = []
            repeat {
                guard let item = item(depth: depth) else { return nil }
                paths += item
            } while consume(",")
            return paths
        }

        private mutating func item(depth: Int) -> [[String]]? {
            var path: [String] = []
            repeat {
                skipSpaces()
                let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_-@$*".contains($0)) }
                guard !name.isEmpty, depth + path.count < FieldSelection.maximumDepth else { return nil }
                guard name == "*" || !name.contains("*") else { return nil }
                rest = rest.dropFirst(name.count)
                path.append(FieldMask.camelCase(name))
            } while consume("/") || consume(".")
            guard consume("(") else { return [path] }
            guard let inner = list(depth: depth + path.count), consume(")") else { return nil }
            return inner.map { path + $0 }
        }

        private mutating func consume(_ character: Character) -> Bool {
            skipSpaces()
            guard rest.first == character else { return false }
            rest.removeFirst()
            skipSpaces()
            return true
        }

        private mutating func skipSpaces() { rest = rest.drop { $0 == " " } }
    }
}
