/// The fields that an update changes: comma-separated paths in camelCase or snake_case.
package struct FieldMask: Sendable, Hashable {
    /// The paths in camelCase in the given order.
    package var paths: [String]

    /// Creates a mask from paths in camelCase.
    package init(_ paths: [String]) {
        self.paths = paths
    }

    /// Parses a mask; empty paths are dropped.
    package init(text: String) {
        paths = text.split(separator: ",").map { Self.camelCase($0.trimmingPrefix { $0 == " " }) }
    }

    /// The mask as a query value.
    package var text: String { paths.joined(separator: ",") }

    /// Returns whether the mask contains a field.
    package func contains(_ path: String) -> Bool { paths.contains(path) }

    static func camelCase(_ path: Substring) -> String {
        var result = ""
        var raise = false
        for character in path {
            if character == "_" {
                raise = true
            } else {
                result += raise ? character.uppercased() : String(character)
                raise = false
            }
        }
        return result
    }
}
