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
