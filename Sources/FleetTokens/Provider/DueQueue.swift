/// A priority queue of keys by time; obsolete entries are tolerated.
package struct DueQueue: Sendable {
    package struct Item: Sendable {
        package let due: Duration
        package let context: AuthorizationContext
        fileprivate let order: Int

        fileprivate func precedes(_ other: Item) -> Bool { (due, order) < (other.due, other.order) }
    }

    private var items: [Item] = []
    private var lastOrder = 0

    package init() {}

    package var count: Int { items.count }

    /// The earliest entry.
    package var first: Item? { items.first }

    /// Adds a key; entries with the same time are in order of insertion.
    package mutating func insert(_ context: AuthorizationContext, due: Duration) {
        lastOrder += 1
        items.append(Item(due: due, context: context, order: lastOrder))
        var child = items.count - 1
        while child > 0, items[child].precedes(items[(child - 1) / 2]) {
            items.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the earliest entry.
    package mutating func popFirst() -> Item? {
        guard let last = items.popLast() else { return nil }
        guard let first = items.first else { return last }
        items[0] = last
        var parent = 0
        while true {
            let children = 2 * parent + 1...2 * parent + 2
            guard
                let least = children.filter({ $0 < items.count }).min(by: { items[$0].precedes(items[$1]) }),
                items[least].precedes(items[parent])
            else { return first }
            items.swapAt(parent, least)
            parent = least
        }
    }

    /// Removes obsolete entries.
    package mutating func compact(keeping isValid: (Item) -> Bool) {
        let valid = items.filter(isValid).sorted { $0.precedes($1) }
        items = valid
    }
}
