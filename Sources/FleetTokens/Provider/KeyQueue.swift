import HeapModule

/// Keys in the order of their priority and time.
///
/// Entries that are no longer valid stay until they are removed; the slot of a key knows its valid entry.
struct KeyQueue {
    enum Priority: Int, Comparable {
        /// Callers wait.
        case urgent
        case normal

        static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
    }

    struct Item: Comparable {
        let priority: Priority
        /// By the steady clock.
        let time: Duration
        let context: AuthorizationContext
        fileprivate let order: Int

        static func < (first: Item, second: Item) -> Bool {
            (first.priority, first.time, first.order) < (second.priority, second.time, second.order)
        }
    }

    private var items = Heap<Item>()
    private var lastOrder = 0

    var count: Int { items.count }

    var first: Item? { items.min }

    /// Adds a key; entries with the same priority and time are in order of insertion.
    mutating func insert(_ context: AuthorizationContext, priority: Priority = .normal, time: Duration) {
        lastOrder += 1
        items.insert(Item(priority: priority, time: time, context: context, order: lastOrder))
    }

    mutating func popFirst() -> Item? { items.popMin() }

    /// Removes the entries that are no longer valid.
    mutating func compact(keeping isValid: (Item) -> Bool) { items = Heap(items.unordered.filter(isValid)) }
}
