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

    /// Returns a name in camelCase.
    ///
    /// Only a single underscore before a small letter or a digit separates words. Others remain, so that a name that is not in
    /// snake_case, such as `last__location`, does not become the name of a field.
    package static func camelCase(_ path: some StringProtocol) -> String {
        guard path.utf8.contains(UInt8(ascii: "_")) else { return String(path) }
        var result = ""
        var rest = Substring(path)
        while let character = rest.popFirst() {
            if character == "_", let last = result.last, last != "_", last != ".", let next = rest.first,
                next.isWordStart
            {
                result += next.uppercased()
                rest.removeFirst()
            } else {
                result.append(character)
            }
        }
        return result
    }
}

extension Character {
    /// Whether a word of a name in snake_case begins with the character.
    fileprivate var isWordStart: Bool { ("a"..."z").contains(self) || ("0"..."9").contains(self) }
}
