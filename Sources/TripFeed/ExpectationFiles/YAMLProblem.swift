import Yams

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

    /// Creates a problem.
    package init(path: [String], message: String) {
        (self.path, self.message) = (path, message)
    }

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
