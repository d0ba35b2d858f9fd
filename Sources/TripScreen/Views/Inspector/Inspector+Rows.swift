import Failures
import FleetTokens
import Runtime
import TripFeed
import TripText

extension Inspector {
    mutating func emit(_ node: Node) {
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
    mutating func nodes(of value: JSONValue, before: JSONValue?, path: String, depth: Int) -> [Node] {
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
    func rest(_ count: Int, _ path: String, _ depth: Int) -> Node {
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

    mutating func removed(_ key: String, _ value: JSONValue, _ path: String, _ depth: Int) -> Node {
        changes += 1
        valuesLeft -= 1
        var row = row(key, value, path, depth)
        row.change = .removed
        row.isOpen = nil
        return Node(row: row, hasMatch: row.isMatch)
    }

    mutating func node(
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

    func row(_ key: String, _ value: JSONValue, _ path: String, _ depth: Int) -> Row {
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
    func text(_ value: JSONValue) -> String {
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
