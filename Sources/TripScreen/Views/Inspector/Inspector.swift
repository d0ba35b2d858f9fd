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
    package private(set) var rows: [Row] = []
    /// The selected row.
    package internal(set) var cursor = 0
    /// The search text; empty if there is none.
    package private(set) var search = ""
    /// Whether only changes are shown.
    package private(set) var showsChangesOnly = false
    /// The number of changed, added and removed values.
    package private(set) var changes = 0
    /// Whether the answer is not JSON.
    package private(set) var isUnreadable = false

    /// The language of container descriptions.
    private var localizer = Localizer.english
    private var current: JSONValue?
    private var previous: JSONValue?
    /// The containers that the user has opened (`true`) or closed (`false`).
    private var folds: [String: Bool] = [:]

    /// The number of values that may still become rows; see ``maximumValues``.
    private var valuesLeft = 0

    /// The maximum number of values processed in both answers together; a separate row counts the rest.
    static let maximumValues = 20_000
    /// Longer arrays are closed initially.
    static let shortArray = 12
    /// The maximum length of a value in characters.
    static let longestValue = 300

    /// Shows the last body compared to the previous one.
    mutating func show(_ bodies: [KeptBody], localizer: Localizer) {
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
    private struct Node {
        var row: Row
        var children: [Node] = []
        var hasMatch = false
    }

    private mutating func emit(_ node: Node) {
        guard !showsChangesOnly || node.row.change != nil else { return }
        var row = node.row
        if row.isOpen != nil {
            let wanted = !search.isEmpty && node.children.contains(where: \.hasMatch)
            row.isOpen =
                folds[row.path] ?? (wanted || (showsChangesOnly && row.change == .within) || row.isOpen == true)
        }
        rows.append(row)
        if row.isOpen == true {
            for child in node.children { emit(child) }
        }
    }

    /// Returns the children of a container; removed ones come last.
    private mutating func nodes(of value: JSONValue, before: JSONValue?, path: String, depth: Int) -> [Node] {
        var nodes: [Node] = []
        switch value {
        case .object(let members):
            var old: [String: JSONValue] = [:]
            if case .object(let before) = before {
                for member in before { old[member.key] = member.value }
            }
            for (index, member) in members.enumerated() {
                guard valuesLeft > 0 else { return nodes + [rest(members.count - index, path, depth)] }
                let earlier = old.removeValue(forKey: member.key)
                nodes.append(node(member.key, member.value, before: earlier, before != nil, path, depth))
            }
            for (index, (key, value)) in old.sorted(by: { $0.key < $1.key }).enumerated() {
                guard valuesLeft > 0 else { return nodes + [rest(old.count - index, path, depth)] }
                nodes.append(removed(key, value, path, depth))
            }
        case .array(let items):
            var old: [JSONValue] = []
            if case .array(let before) = before { old = before }
            let match = ItemMatch(items, before: old)
            for (index, item) in items.enumerated() {
                guard valuesLeft > 0 else { return nodes + [rest(items.count - index, path, depth)] }
                let earlier = match.before[index].map { old[$0] }
                nodes.append(node(String(index), item, before: earlier, before != nil, path, depth))
            }
            for (position, index) in match.removed.enumerated() {
                guard valuesLeft > 0 else { return nodes + [rest(match.removed.count - position, path, depth)] }
                var node = removed(String(index), old[index], path, depth)
                // Another item may now have the original path.
                node.row.path += " before"
                nodes.append(node)
            }
        default: break
        }
        return nodes
    }

    /// Returns the row for values that are not processed.
    private func rest(_ count: Int, _ path: String, _ depth: Int) -> Node {
        Node(
            row: Row(
                path: path + ".…",
                depth: depth,
                key: "…",
                value: localizer(.itemsNotShown(count: count)),
                isOpen: nil,
                // Makes the row visible in the changes-only mode.
                change: .within,
                isMatch: false
            )
        )
    }

    private mutating func removed(_ key: String, _ value: JSONValue, _ path: String, _ depth: Int) -> Node {
        changes += 1
        valuesLeft -= 1
        var row = row(key, value, path, depth)
        row.change = .removed
        row.isOpen = nil
        return Node(row: row, hasMatch: row.isMatch)
    }

    private mutating func node(
        _ key: String,
        _ value: JSONValue,
        before: JSONValue?,
        _ hasBefore: Bool,
        _ path: String,
        _ depth: Int
    ) -> Node {
        valuesLeft -= 1
        var node = Node(row: row(key, value, path, depth))
        if hasBefore, before == nil {
            node.row.change = .added
            changes += 1
        } else if let before, before != value {
            if node.row.isOpen != nil, Self.isContainer(before) {
                node.row.change = .within
            } else {
                node.row.change = .changed(from: text(before))
                changes += 1
            }
        }
        // Skip closed containers without changes, such as a route of 5,000 points.
        let isOpen = folds[node.row.path] ?? node.row.isOpen ?? false
        if Self.isContainer(value), isOpen || node.row.change != nil || !search.isEmpty {
            let earlier = node.row.change == .within ? before : (node.row.change == nil ? value : nil)
            node.children = nodes(of: value, before: hasBefore ? earlier : nil, path: node.row.path, depth: depth + 1)
        }
        node.hasMatch = node.row.isMatch || node.children.contains(where: \.hasMatch)
        return node
    }

    private func row(_ key: String, _ value: JSONValue, _ path: String, _ depth: Int) -> Row {
        let name = Reporter.sanitized(key, limit: 80)
        let text = text(value)
        var isOpen: Bool?
        switch value {
        case .object(let members): isOpen = !members.isEmpty && depth < 3
        case .array(let items): isOpen = !items.isEmpty && items.count <= Self.shortArray && depth < 3
        default: break
        }
        let needle = search.lowercased()
        let isMatch = !needle.isEmpty && (name.lowercased().contains(needle) || text.lowercased().contains(needle))
        return Row(
            path: path.isEmpty ? name : "\(path).\(name)",
            depth: depth,
            key: name,
            value: text,
            isOpen: isOpen,
            isMatch: isMatch
        )
    }

    private static func isContainer(_ value: JSONValue) -> Bool {
        switch value {
        case .object, .array: true
        case .null, .bool, .number, .string: false
        }
    }

    /// Returns a value in one line; containers are described by their size.
    private func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
        case .string(let string): "\"\(Reporter.sanitized(string, limit: Self.longestValue))\""
        case .array(let items): "[\(localizer(.items(count: items.count)))]"
        case .object(let members): "{\(localizer(.members(count: members.count)))}"
        }
    }
}
