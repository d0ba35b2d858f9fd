import HeapModule

/// Keys in the order of their times; entries that are no longer valid stay until they are dropped.
package struct DueQueue: Sendable {
    package struct Item: Sendable, Comparable {
        package let due: Duration
        package let context: AuthorizationContext
        fileprivate let order: Int

        package static func < (first: Item, second: Item) -> Bool {
            (first.due, first.order) < (second.due, second.order)
        }
    }

    private var items = Heap<Item>()
    private var lastOrder = 0

    package init() {}

    package var count: Int { items.count }

    /// The earliest.
    package var first: Item? { items.min }

    /// Adds a key; entries with the same time are in order of insertion.
    package mutating func insert(_ context: AuthorizationContext, due: Duration) {
        lastOrder += 1
        items.insert(Item(due: due, context: context, order: lastOrder))
    }

    /// Takes out the earliest.
    package mutating func popFirst() -> Item? { items.popMin() }

    /// Drops the entries that are no longer valid.
    package mutating func compact(keeping isValid: (Item) -> Bool) {
        items = Heap(items.unordered.filter(isValid))
    }
}
