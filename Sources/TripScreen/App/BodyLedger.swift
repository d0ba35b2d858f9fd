import TripModel

/// How much the bodies take that a screen keeps of all trips, and which of them came first.
struct BodyLedger: Sendable {
    /// The most bytes of all bodies together; beyond it the oldest are given up.
    static let largest = 8 << 20

    /// One body: the trip that keeps it, and its number among all.
    struct Item: Sendable, Equatable {
        let trip: TripID
        let number: Int
    }

    /// In the order in which they came; those that are gone already are kept until their turn comes.
    private var items: [Item] = []
    private var first = 0
    private var sizes: [Int: Int] = [:]
    private var last = 0
    /// The bytes of all bodies that are kept.
    private(set) var bytes = 0

    /// Books a body.
    ///
    /// - Returns: Its number.
    mutating func add(_ size: Int, of trip: TripID) -> Int {
        last += 1
        items.append(Item(trip: trip, number: last))
        sizes[last] = size
        bytes += size
        if items.count > 2 * sizes.count + 4 {
            items = items[first...].filter { sizes[$0.number] != nil }
            first = 0
        }
        return last
    }

    /// Takes out a body that is kept no more.
    mutating func remove(_ number: Int) {
        bytes -= sizes.removeValue(forKey: number) ?? 0
    }

    /// Takes out the oldest body as long as all together are too many bytes.
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
