import Runtime

/// The restricted parts of log entries that have not arrived; the oldest ones are dropped above a limit.
struct RestrictedParts: Sendable {
    private var parts: [String: (number: Int, part: JSONValue)] = [:]
    /// The IDs in the order of their arrival; one whose part was removed, or dropped, has another number or none.
    private var arrivals: [(number: Int, id: String)] = []
    private var first = 0
    private var added = 0

    /// The number of parts that are stored.
    var limit: Int { didSet { dropOldest() } }

    init(limit: Int) { self.limit = limit }

    /// The number of parts.
    var count: Int { parts.count }

    /// Adds a part of the entry with an ID; it is merged into one that is already there.
    mutating func add(_ part: JSONValue, of id: String) {
        if let known = parts[id] {
            parts[id] = (known.number, known.part.merged(with: part))
            return
        }
        added += 1
        parts[id] = (added, part)
        arrivals.append((added, id))
        dropOldest()
    }

    /// Removes and returns the part of the entry with an ID.
    mutating func remove(of id: String) -> JSONValue? { parts.removeValue(forKey: id)?.part }

    private mutating func dropOldest() {
        while first < arrivals.count, parts.count > limit || parts[arrivals[first].id]?.number != arrivals[first].number
        {
            let (number, id) = arrivals[first]
            if parts[id]?.number == number { parts[id] = nil }
            first += 1
        }
        // At most half of the array is unused.
        if first > arrivals.count / 2 || arrivals.count - first > 2 * limit + 16 {
            arrivals = arrivals[first...].filter { parts[$0.id]?.number == $0.number }
            first = 0
        }
    }
}
