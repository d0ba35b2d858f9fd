import TripModel

/// The total size of all stored answer bodies of a screen, in order of arrival.
struct BodyLedger: Sendable {
    /// The maximum total size in bytes; above it, the oldest bodies are dropped.
    static let largest = 8 << 20

    /// A stored body: its trip and its number.
    struct Item: Sendable, Equatable {
        let journey: JourneyID
        let number: Int
    }

    /// The bodies in order of arrival; removed ones stay in the list until they are the oldest.
    private var items: [Item] = []
    private var first = 0
    private var sizes: [Int: Int] = [:]
    private var last = 0
    /// The total size of all stored bodies.
    private(set) var bytes = 0
    /// The approximate number of bytes of the ledger itself.
    var bytesOfItems: Int { items.count * MemoryLayout<Item>.stride + sizes.count * 32 }

    /// Records a body.
    ///
    /// - Returns: Its number.
    mutating func add(_ size: Int, of journey: JourneyID) -> Int {
        last += 1
        items.append(Item(journey: journey, number: last))
        sizes[last] = size
        bytes += size
        if items.count > 2 * sizes.count + 4 {
            items = items[first...].filter { sizes[$0.number] != nil }
            first = 0
        }
        return last
    }

    /// Records the removal of a body.
    mutating func remove(_ number: Int) {
        bytes -= sizes.removeValue(forKey: number) ?? 0
    }

    /// Removes and returns the oldest body while the total exceeds the limit.
    mutating func popExcess() -> Item? {
        guard bytes > Self.largest else { return nil }
        while first < items.count {
            let item = items[first]
            first += 1
            guard sizes[item.number] != nil else { continue }
            remove(item.number)
            return item
        }
        return nil
    }
}
