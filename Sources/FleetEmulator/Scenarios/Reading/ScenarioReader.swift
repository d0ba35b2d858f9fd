import Foundation
import TripModel
import Yams

extension Scenario {
    /// Reads a scenario; `file` is the name used in errors.
    ///
    /// Throws ``ScenarioError`` with the line and the expected value.
    package init(yaml: String, name: String, file: String) throws(ScenarioError) {
        let document = try ScenarioDocument(yaml, file: file, expected: "title, vehicles, trips")
        self = try document.read(ScenarioFile.self, keys: ScenarioFile.keys) { (entries) throws(ScenarioProblem) in
            var builder = ScenarioBuilder(entries: entries)
            return try builder.scenario(name: name)
        }
    }
}

/// A parsed YAML file, whose errors have line numbers.
struct ScenarioDocument {
    private let file: String
    private let root: Node

    /// Parses a file; `expected` lists its most important keys.
    init(_ yaml: String, file: String, expected: String) throws(ScenarioError) {
        guard yaml.utf8.count <= 1 << 20 else {
            throw ScenarioError(file: file, line: nil, message: "larger than 1 MiB")
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch let error as YamlError {
            throw ScenarioError(file: file, line: error.line, message: "not YAML: \(error.problem)")
        } catch {
            throw ScenarioError(file: file, line: nil, message: "not YAML")
        }
        guard let root, root.mapping != nil else {
            throw ScenarioError(file: file, line: 1, message: "a mapping with \(expected) is expected")
        }
        (self.file, self.root) = (file, root)
    }

    /// Decodes the entries and builds a value from them; `keys` lists the allowed keys of each mapping by its path.
    func read<Entries: Decodable, Value>(
        _ type: Entries.Type,
        keys: [String: [String]],
        build: (Entries) throws(ScenarioProblem) -> Value
    ) throws(ScenarioError) -> Value {
        do throws(ScenarioProblem) {
            try Self.checkKeys(root, keys, path: [])
            let entries: Entries
            do {
                entries = try YAMLDecoder().decode(type, from: root)
            } catch let error as DecodingError {
                throw ScenarioProblem(error)
            } catch {
                throw ScenarioProblem(path: [], message: "can't be read")
            }
            return try build(entries)
        } catch {
            throw ScenarioError(file: file, line: root.line(at: error.path), message: error.message)
        }
    }

    private static func checkKeys(
        _ node: Node,
        _ keys: [String: [String]],
        path: [String]
    ) throws(ScenarioProblem) {
        if let mapping = node.mapping {
            let place = path.map { Int($0) == nil ? $0 : "*" }.joined(separator: ".")
            for (key, value) in mapping {
                let name = key.string ?? ""
                if let known = keys[place], !known.contains(name) {
                    throw ScenarioProblem(path: path + [name], message: .unknown(name, known))
                }
                try checkKeys(value, keys, path: path + [name])
            }
        } else if let sequence = node.sequence {
            for (index, value) in sequence.enumerated() { try checkKeys(value, keys, path: path + ["\(index)"]) }
        }
    }
}

/// A problem in a scenario and its path in the tree.
struct ScenarioProblem: Error {
    var path: [String]
    var message: String

    init(path: [String], message: String) {
        (self.path, self.message) = (path, message)
    }

    init(_ error: DecodingError) {
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
