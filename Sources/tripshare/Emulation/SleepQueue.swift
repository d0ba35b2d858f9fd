import HeapModule

/// The tasks that sleep on a clock, by their deadlines on its steady time.
///
/// One sleeper costs about 100 bytes. With a timer for each, thousands of trips that wait for their next poll would need several
/// kilobytes each.
struct SleepQueue<Sleeper> {
    private struct Entry: Comparable {
        let deadline: Duration
        let id: Int

        static func < (first: Self, second: Self) -> Bool { (first.deadline, first.id) < (second.deadline, second.id) }
    }

    private var entries = Heap<Entry>()
    /// A sleeper that was removed leaves its entry behind.
    private var sleepers: [Int: Sleeper] = [:]

    /// The number of entries, including those without a sleeper.
    var entryCount: Int { entries.count }

    /// Adds a sleeper with an ID of its own.
    mutating func add(_ sleeper: Sleeper, id: Int, until deadline: Duration) {
        sleepers[id] = sleeper
        entries.insert(Entry(deadline: deadline, id: id))
    }

    /// Removes and returns a sleeper; `nil` if it was removed before.
    mutating func remove(_ id: Int) -> Sleeper? {
        defer {
            // Entries without a sleeper take memory until their deadlines.
            if entries.count > 2 * sleepers.count + 64 {
                entries = Heap(entries.unordered.filter { sleepers[$0.id] != nil })
            }
        }
        return sleepers.removeValue(forKey: id)
    }

    /// Removes and returns the sleepers whose deadline is not after a time, the earliest first.
    mutating func removeAll(until time: Duration) -> [Sleeper] {
        var due: [Sleeper] = []
        while let entry = entries.min, entry.deadline <= time {
            entries.removeMin()
            if let sleeper = sleepers.removeValue(forKey: entry.id) { due.append(sleeper) }
        }
        return due
    }

    /// Returns the earliest deadline of a sleeper.
    mutating func earliest() -> Duration? {
        while let entry = entries.min, sleepers[entry.id] == nil { entries.removeMin() }
        return entries.min?.deadline
    }
}
