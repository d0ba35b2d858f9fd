import FleetTokens
import TripFeed
import TripText

/// An answer as a tree of rows, beside the answer before it.
package struct Inspector: Sendable, Equatable {
    /// What became of a value since the answer before.
    package enum Change: Sendable, Equatable {
        case added
        case removed
        /// It was something else, as text.
        case changed(from: String)
        /// Something below it is different.
        case within
    }

    /// One line.
    package struct Row: Sendable, Equatable {
        /// Where it stands in the answer, such as `remainingWaypoints.0.eta`.
        package var path: String
        /// How deep it is, 0 for the members of the answer.
        package var depth: Int
        /// Its key or its index.
        package var key: String
        /// Its value in one line, or what a container holds.
        package var value: String
        /// Whether rows below can be shown or hidden; `nil` for a plain value.
        package var isOpen: Bool?
        /// What became of it.
        package var change: Change?
        /// Whether the search found it.
        package var isMatch: Bool
    }

    /// The rows that are shown.
    package private(set) var rows: [Row] = []
    /// The chosen one.
    package internal(set) var cursor = 0
    /// What is searched for; empty for nothing.
    package private(set) var search = ""
    /// Whether only what has changed is shown.
    package private(set) var showsChangesOnly = false
    /// The values that have changed, added and removed ones too.
    package private(set) var changes = 0
    /// Whether the answer is no JSON.
    package private(set) var isUnreadable = false

    /// How containers are described.
    private var say = Wording.english
    private var current: JSONText?
    private var previous: JSONText?
    /// What a person has opened (`true`) and closed.
    private var folds: [String: Bool] = [:]

    /// The values that may still become rows; see ``maximumValues``.
    private var valuesLeft = 0

    /// The most values that are looked at, in both answers together; what is left out is counted in a row of its own.
    static let maximumValues = 20_000
    /// Arrays with more items are closed at first.
    static let shortArray = 12
    /// The longest value in a row, in characters.
    static let longestValue = 300

    /// Shows the last of some bodies beside the one before.
    mutating func show(_ bodies: [KeptBody], say: Wording) {
        self.say = say
        current = bodies.last.flatMap { JSONText($0.bytes) }
        previous = bodies.count > 1 ? JSONText(bodies[bodies.count - 2].bytes) : nil
        isUnreadable = current == nil && !bodies.isEmpty
        rebuild()
    }

    /// Searches keys and values, in any case of letters; opens what hides a match.
    mutating func search(for text: String) {
        search = text
        rebuild()
        if !text.isEmpty, let first = rows.firstIndex(where: \.isMatch) { cursor = first }
    }

    /// Moves to the next match, or to the one before.
    mutating func jump(forward: Bool) {
        let matches = rows.indices.filter { rows[$0].isMatch }
        guard !matches.isEmpty else { return }
        let next = forward ? matches.first { $0 > cursor } : matches.last { $0 < cursor }
        cursor = next ?? (forward ? matches[0] : matches[matches.count - 1])
    }

    /// Shows all, or only what has changed.
    mutating func toggleChangesOnly() {
        showsChangesOnly.toggle()
        rebuild()
    }

    /// Opens or closes the chosen row, or with `nil` does whichever it isn't; closing a value closes what holds it.
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

    /// Moves the choice by so many rows.
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

    /// A row with what is below it.
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

    /// The members or items of a container, those that have vanished at the end.
    private mutating func nodes(of value: JSONText, before: JSONText?, path: String, depth: Int) -> [Node] {
        var nodes: [Node] = []
        switch value {
        case .object(let members):
            var old: [String: JSONText] = [:]
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
            var old: [JSONText] = []
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
                // Another item may stand there now.
                node.row.path += " before"
                nodes.append(node)
            }
        default: break
        }
        return nodes
    }

    /// The row for values of a container that are not looked at.
    private func rest(_ count: Int, _ path: String, _ depth: Int) -> Node {
        Node(
            row: Row(
                path: path + ".…",
                depth: depth,
                key: "…",
                value: say.count(count, .itemsNotShown),
                isOpen: nil,
                // So that it is also seen where only changes are.
                change: .within,
                isMatch: false
            )
        )
    }

    private mutating func removed(_ key: String, _ value: JSONText, _ path: String, _ depth: Int) -> Node {
        changes += 1
        valuesLeft -= 1
        var row = row(key, value, path, depth)
        row.change = .removed
        row.isOpen = nil
        return Node(row: row, hasMatch: row.isMatch)
    }

    private mutating func node(
        _ key: String,
        _ value: JSONText,
        before: JSONText?,
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
        // What nobody looks at and nothing has changed in need not be walked through, such as a route of 5,000 points.
        let isOpen = folds[node.row.path] ?? node.row.isOpen ?? false
        if Self.isContainer(value), isOpen || node.row.change != nil || !search.isEmpty {
            let earlier = node.row.change == .within ? before : (node.row.change == nil ? value : nil)
            node.children = nodes(of: value, before: hasBefore ? earlier : nil, path: node.row.path, depth: depth + 1)
        }
        node.hasMatch = node.row.isMatch || node.children.contains(where: \.hasMatch)
        return node
    }

    private func row(_ key: String, _ value: JSONText, _ path: String, _ depth: Int) -> Row {
        let name = Reporter.harmless(key, limit: 80)
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

    private static func isContainer(_ value: JSONText) -> Bool {
        switch value {
        case .object, .array: true
        case .null, .bool, .number, .string: false
        }
    }

    /// A value in one line; containers say how much they hold.
    private func text(_ value: JSONText) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
        case .string(let string): "\"\(Reporter.harmless(string, limit: Self.longestValue))\""
        case .array(let items): "[\(say.count(items.count, .items))]"
        case .object(let members): "{\(say.count(members.count, .members))}"
        }
    }
}
