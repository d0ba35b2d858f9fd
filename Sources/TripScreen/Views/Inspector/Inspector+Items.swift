import FleetTokens
import FleetWire

extension Inspector {
    /// Which items of a list are those of the list before, wherever they stand.
    struct ItemMatch: Equatable {
        /// For each item the index that it had; `nil` for a new one.
        var before: [Int?]
        /// The indices of those that have vanished.
        var removed: [Int]

        /// Matches objects by what names them, and other items by what stands the same at both ends of the list.
        ///
        /// A list loses its items at the front, such as waypoints that were passed and the part of a route that was driven: items of
        /// one name are matched from the end.
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
            let kept = Set(before.compactMap(\.self))
            removed = old.indices.filter { !kept.contains($0) }
        }

        /// What tells an object from its siblings: the trip and the kind of a waypoint, else its ID or its name.
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
