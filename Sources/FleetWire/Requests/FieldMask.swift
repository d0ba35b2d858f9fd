package import SwiftProtobuf

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

extension FieldMask {
    /// The mask as a message: its names are in snake_case.
    fileprivate var message: Google_Protobuf_FieldMask {
        Google_Protobuf_FieldMask(
            protoPaths: paths.map { path in
                path.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
            }
        )
    }
}

extension Message where Self: Equatable, Self: _ProtoNameProviding {
    /// Replaces the fields that a mask names by the fields of another message.
    ///
    /// A field that is not set there is cleared. A merge by SwiftProtobuf alone retains a message that is not set in the source,
    /// so the result is merged from both sides.
    package mutating func replace(_ mask: FieldMask, by source: Self) {
        guard !mask.paths.isEmpty else { return }
        let replaced = mask.message
        var options = Google_Protobuf_FieldMask.MergeOptions()
        options.replaceRepeatedFields = true
        var result = Self()
        do {
            // A new resource has nothing to retain.
            if self != result {
                let retained = Google_Protobuf_FieldMask(allFieldsOf: Self.self).subtract(replaced)
                try result.merge(from: self, fieldMask: retained, mergeOption: options)
            }
            try result.merge(from: source, fieldMask: replaced, mergeOption: options)
        } catch {
            preconditionFailure("the fields of a \(Self.protoMessageName) could not be merged: \(error)")
        }
        self = result
    }
}
