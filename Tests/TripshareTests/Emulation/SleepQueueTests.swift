import Runtime
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Tasks that sleep on a clock", .ends(within: .longTest))
struct SleepQueueTests {
    @Test func `the earliest deadline comes first, and equal ones in the order in which they came`() {
        var queue = SleepQueue<String>()
        #expect(queue.earliest() == nil && queue.removeAll(until: .seconds(9)).isEmpty)
        for (id, (name, second)) in [("c", 3), ("a", 1), ("b", 1), ("d", 4)].enumerated() {
            queue.add(name, id: id, until: .seconds(second))
        }
        #expect(queue.earliest() == .seconds(1))
        #expect(queue.removeAll(until: .seconds(3)) == ["a", "b", "c"])
        #expect(queue.removeAll(until: .milliseconds(3_999)).isEmpty)
        #expect(queue.earliest() == .seconds(4))
    }

    @Test func `a removed sleeper is not woken`() {
        var queue = SleepQueue<String>()
        for id in 1...3 { queue.add("\(id)", id: id, until: .seconds(id)) }
        #expect(queue.remove(1) == "1" && queue.remove(1) == nil)
        #expect(queue.earliest() == .seconds(2))
        #expect(queue.removeAll(until: .seconds(3)) == ["2", "3"])
        #expect(queue.remove(2) == nil)
    }

    @Test func `removed sleepers with late deadlines do not fill the memory`() {
        var queue = SleepQueue<Int>()
        queue.add(0, id: 0, until: .seconds(1))
        for id in 1...10_000 {
            queue.add(id, id: id, until: .seconds(86_400))
            #expect(queue.remove(id) == id)
        }
        #expect(queue.entryCount < 100)
        #expect(queue.removeAll(until: .seconds(1)) == [0])
    }
}
