import FleetTokens
import Runtime

extension Inspector {
    /// Matches the items of a list to the items of the previous list, independent of their position.
    struct ItemMatch: Equatable {
        /// The previous index of each item; `nil` for a new one.
        var before: [Int?]
        /// The previous indices of removed items.
        var removed: [Int]

        /// Matches objects by their identity, and other items by common prefixes and suffixes of both lists.
        ///
        /// Lists lose items at the front, such as passed waypoints and driven parts of a route. Items with the same name are
        /// therefore matched from the end.
        init(_ items: [JSONValue], before old: [JSONValue]) {
            before = Array(repeating: nil, count: items.count)
            let names = items.map(Self.name)
            let oldNames = old.map(Self.name)
            if !(names + oldNames).contains(nil) {
                var places: [String: [Int]] = [:]
                for (index, name) in oldNames.enumerated() { places[name ?? "", default: []].append(index) }
                for (index, name) in names.enumerated().reversed() { before[index] = places[name ?? ""]?.popLast() }
            } else {
                let shorter = min(items.count, old.count)
                let head = (0..<shorter).first { items[$0] != old[$0] } ?? shorter
                let tail =
                    (0..<(shorter - head)).first { items[items.count - 1 - $0] != old[old.count - 1 - $0] }
                    ?? shorter - head
                for index in items.indices {
                    if index >= items.count - tail {
                        before[index] = index + old.count - items.count
                    } else if index < old.count - tail {
                        before[index] = index
                    }
                }
            }
            let retained = Set(before.compactMap(\.self))
            removed = old.indices.filter { !retained.contains($0) }
        }

        /// Returns the identity of an object: a waypoint's trip and kind, else its ID or name.
        private static func name(_ item: JSONValue) -> String? {
            guard case .object(let members) = item else { return nil }
            func text(_ key: String) -> String? {
                guard case .string(let text)? = members.first(where: { $0.key == key })?.value else { return nil }
                return text
            }
            if let trip = text("tripId"), let kind = text("waypointType") { return "\(trip) \(kind)" }
            return text("id") ?? text("name")
        }
    }
}
