import HeapModule
import TripModel

/// Journeys in the order of their times; journeys of the same time in the order in which they were added.
///
/// A removed journey leaves its entry behind until there are more of these than journeys, so that every change costs about the
/// logarithm of their number and an empty queue has no entries.
struct DueQueue: Sendable {
    /// A journey and its time.
    struct Entry: Comparable, Sendable {
        let due: Duration
        fileprivate let number: Int
        let id: JourneyID

        static func < (first: Self, second: Self) -> Bool { (first.due, first.number) < (second.due, second.number) }
    }

    private var entries = Heap<Entry>()
    /// The number of the entry of each journey.
    private var numbers: [JourneyID: Int] = [:]
    private var lastNumber = 0

    /// The number of journeys.
    var count: Int { numbers.count }

    /// The number of entries, with those that were left behind; at most twice the number of journeys.
    var entryCount: Int { entries.count }

    /// Returns the journey with the earliest time.
    mutating func first() -> Entry? {
        while let entry = entries.min, numbers[entry.id] != entry.number { entries.removeMin() }
        return entries.min
    }

    /// Adds a journey that is not in the queue.
    mutating func insert(_ id: JourneyID, due: Duration) {
        lastNumber += 1
        numbers[id] = lastNumber
        entries.insert(Entry(due: due, number: lastNumber, id: id))
    }

    /// Removes a journey.
    mutating func remove(_ id: JourneyID) {
        let number = numbers.removeValue(forKey: id)
        if let first = entries.min, first.number == number { entries.removeMin() }
        guard entries.count > 2 * numbers.count else { return }
        entries = Heap(entries.unordered.filter { numbers[$0.id] == $0.number })
    }
}
