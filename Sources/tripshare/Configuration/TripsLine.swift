import Foundation
import Runtime

/// What a line of trips on standard input asks for.
///
/// A JSON object names what it does: `{"add": "ID"}` or `{"remove": "ID"}`. Any other line adds the trip that it names, also if
/// the ID begins with a hyphen. No ID and no name of a trip contains a colon, as every object with a member does.
enum TripsLine: Equatable {
    /// Adds a trip.
    case add(String)
    /// Removes a trip.
    case remove(String)
    /// An object that is neither.
    case invalid

    /// Reads a line; `nil` for blank lines and comments.
    init?(_ line: some StringProtocol) {
        guard let text = Self.content(line) else { return nil }
        guard text.hasPrefix("{"), text.contains(":") else {
            self = .add(text)
            return
        }
        // A `#` in an object begins no comment.
        let object = JSONValue(Array(line.trimmingCharacters(in: .whitespacesAndNewlines).utf8))
        guard case .object(let members)? = object, members.count == 1, let name = members[0].value.string else {
            self = .invalid
            return
        }
        switch members[0].key {
        case "add": self = .add(name)
        case "remove": self = .remove(name)
        default: self = .invalid
        }
    }

    /// Returns the content of a line without a comment; `nil` for blank lines and comments.
    static func content(_ line: some StringProtocol) -> String? {
        let text = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}
