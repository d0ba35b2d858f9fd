import Runtime
import Yams

/// A parsed YAML file, whose errors have line numbers.
package struct YAMLDocument {
    private let file: String
    private let root: Node

    /// Parses a file; `expected` lists its most important keys.
    package init(_ yaml: String, file: String, expected: String) throws(YAMLFileError) {
        guard yaml.utf8.count <= 1 << 20 else {
            throw YAMLFileError(file: file, line: nil, message: "larger than 1 MiB")
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch let error as YamlError {
            throw YAMLFileError(file: file, line: error.line, message: "not YAML: \(error.problem)")
        } catch {
            throw YAMLFileError(file: file, line: nil, message: "not YAML")
        }
        guard let root, root.mapping != nil else {
            throw YAMLFileError(file: file, line: 1, message: "a mapping with \(expected) is expected")
        }
        (self.file, self.root) = (file, root)
    }

    /// Decodes the entries and builds a value from them; `keys` lists the allowed keys of each mapping by its path.
    package func read<Entries: Decodable, Value>(
        _ type: Entries.Type,
        keys: [String: [String]],
        build: (Entries) throws(YAMLProblem) -> Value
    ) throws(YAMLFileError) -> Value {
        do throws(YAMLProblem) {
            try Self.checkKeys(root, keys, path: [])
            let entries: Entries
            do {
                entries = try YAMLDecoder().decode(type, from: root)
            } catch let error as DecodingError {
                throw YAMLProblem(error)
            } catch {
                throw YAMLProblem(path: [], message: "can't be read")
            }
            return try build(entries)
        } catch {
            throw YAMLFileError(file: file, line: root.line(at: error.path), message: error.message)
        }
    }

    private static func checkKeys(
        _ node: Node,
        _ keys: [String: [String]],
        path: [String]
    ) throws(YAMLProblem) {
        if let mapping = node.mapping {
            let place = path.map { Int($0) == nil ? $0 : "*" }.joined(separator: ".")
            for (key, value) in mapping {
                let name = key.string ?? ""
                if let known = keys[place], !known.contains(name) {
                    throw YAMLProblem(path: path + [name], message: .unknown(name, known))
                }
                try checkKeys(value, keys, path: path + [name])
            }
        } else if let sequence = node.sequence {
            for (index, value) in sequence.enumerated() { try checkKeys(value, keys, path: path + ["\(index)"]) }
        }
    }
}

extension Node {
    /// Returns the line of a path in the tree, or of its deepest existing ancestor.
    fileprivate func line(at path: [String]) -> Int? {
        guard let first = path.first else { return mark?.line }
        let rest = Array(path.dropFirst())
        if let index = Int(first), let sequence, sequence.indices.contains(index) {
            return sequence[index].line(at: rest)
        }
        if let mapping {
            for (key, value) in mapping where key.string == first {
                return rest.isEmpty ? key.mark?.line : value.line(at: rest)
            }
        }
        return mark?.line
    }
}

extension YamlError {
    fileprivate var line: Int? {
        switch self {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
        case .duplicatedKeysInMapping(_, let context): context.mark.line
        default: nil
        }
    }

    fileprivate var problem: String {
        switch self {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _): problem
        case .duplicatedKeysInMapping(let keys, _): "\(keys.joined(separator: ", ")) occurs more than once"
        default: "it can't be read"
        }
    }
}

/// The reason why a file of scenarios or expectations is invalid.
package struct YAMLFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file name as given.
    package var file: String
    /// The line number, starting at 1; `nil` if the error concerns the whole file.
    package var line: Int?
    /// What was expected.
    package var message: String

    /// `FILE:LINE: MESSAGE`.
    package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
}

/// A problem in a file and its path in the tree.
package struct YAMLProblem: Error {
    /// The keys and indices from the root.
    package let path: [String]
    /// What was expected.
    package let message: String

    private static func path(_ context: DecodingError.Context) -> [String] {
        context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is Double.Type, is Int.Type: "a number"
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is Node.Sequence.Type: "a list"
        case is Node.Scalar.Type: "a single value"
        default: "\(type)".hasPrefix("Array") || "\(type)".hasPrefix("Unkeyed") ? "a list" : "a mapping"
        }
    }
}

extension YAMLProblem {
    /// Creates a problem from the error of a decoder.
    package init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(path: Self.path(context), message: "\(key.stringValue) is missing")
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            let path = Self.path(context)
            self.init(path: path, message: "\(path.last ?? "this"): \(Self.name(of: type)) is expected")
        case .dataCorrupted(let context):
            self.init(path: Self.path(context), message: context.debugDescription)
        @unknown default: self.init(path: [], message: "can't be read")
        }
    }
}

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
