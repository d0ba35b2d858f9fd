import Failures
import FleetTokens
import Runtime
import TripFeed
import TripText

/// An answer as a tree of rows, compared to the previous answer.
package struct Inspector: Sendable, Equatable {
    /// How a value has changed since the previous answer.
    package enum Change: Sendable, Equatable {
        case added
        case removed
        /// Its previous value as text.
        case changed(from: String)
        /// A value below it has changed.
        case within
    }

    /// A row.
    package struct Row: Sendable, Equatable {
        /// The path in the answer, such as `remainingWaypoints.0.eta`.
        package var path: String
        /// The nesting depth; 0 for the members of the answer.
        package var depth: Int
        /// The key or the index.
        package var key: String
        /// The value in one line, or the description of a container.
        package var value: String
        /// Whether a container is open; `nil` for a plain value.
        package var isOpen: Bool?
        /// The change of the value.
        package var change: Change?
        /// Whether it matches the search.
        package var isMatch: Bool
    }

    /// The visible rows.
    package internal(set) var rows: [Row] = []
    /// The selected row.
    package internal(set) var cursor = 0
    /// The search text; empty if there is none.
    package private(set) var search = ""
    /// Whether only changes are shown.
    package private(set) var showsChangesOnly = false
    /// The number of changed, added and removed values.
    package internal(set) var changes = 0
    /// Whether the answer is not JSON.
    package internal(set) var isUnreadable = false

    /// The language of container descriptions.
    var localizer = Localizer.english
    private var current: JSONValue?
    private var previous: JSONValue?
    /// The containers that the user has opened (`true`) or closed (`false`).
    var folds: [String: Bool] = [:]

    /// The number of values that may still become rows; see ``maximumValues``.
    var valuesLeft = 0

    /// The maximum number of values processed in both answers together; a separate row counts the rest.
    static let maximumValues = 20_000
    /// Longer arrays are closed initially.
    static let shortArray = 12
    /// The maximum length of a value in characters.
    static let longestValue = 300

    /// Shows the last body compared to the previous one.
    mutating func show(_ bodies: [StoredBody], localizer: Localizer) {
        self.localizer = localizer
        current = bodies.last.flatMap { JSONValue($0.bytes) }
        previous = bodies.count > 1 ? JSONValue(bodies[bodies.count - 2].bytes) : nil
        isUnreadable = current == nil && !bodies.isEmpty
        rebuild()
    }

    /// Searches keys and values, ignoring case; opens containers with matches.
    mutating func search(for text: String) {
        search = text
        rebuild()
        if !text.isEmpty, let first = rows.firstIndex(where: \.isMatch) { cursor = first }
    }

    /// Moves to the next or the previous match.
    mutating func jump(forward: Bool) {
        let matches = rows.indices.filter { rows[$0].isMatch }
        guard !matches.isEmpty else { return }
        let next = forward ? matches.first { $0 > cursor } : matches.last { $0 < cursor }
        cursor = next ?? (forward ? matches[0] : matches[matches.count - 1])
    }

    /// Toggles between all rows and changes only.
    mutating func toggleChangesOnly() {
        showsChangesOnly.toggle()
        rebuild()
    }

    /// Opens or closes the selected row; `nil` toggles it.
    ///
    /// Closing a plain value closes its container.
    mutating func fold(open: Bool?) {
        guard rows.indices.contains(cursor) else { return }
        let row = rows[cursor]
        if let isOpen = row.isOpen, open == nil || open != isOpen {
            folds[row.path] = open ?? !isOpen
            rebuild()
        } else if open == false, let parent = rows[..<cursor].lastIndex(where: { $0.depth < row.depth }) {
            cursor = parent
        }
    }

    /// Moves the selection by a number of rows.
    mutating func move(by steps: Int) {
        cursor = min(max(0, cursor + steps), max(0, rows.count - 1))
    }

    // MARK: Rows

    private mutating func rebuild() {
        let chosen = rows.indices.contains(cursor) ? rows[cursor].path : nil
        rows = []
        changes = 0
        valuesLeft = Self.maximumValues
        if let current {
            for node in nodes(of: current, before: previous, path: "", depth: 0) { emit(node) }
        }
        let found = chosen.flatMap { path in rows.firstIndex { $0.path == path } }
        cursor = found ?? min(cursor, max(0, rows.count - 1))
    }

    /// A row with its children.
    struct Node {
        var row: Row
        var children: [Node] = []
        var hasMatch = false
    }
}
