import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Poll budget", .ends(within: .quickTest))
struct PollBudgetTests {
    @Test func `allows at most the quota plus one burst`() {
        var budget = PollBudget(requestsPerMinute: 600, interval: .seconds(1))
        budget.trips = 100
        var random = SeededGenerator(seed: 1)
        var now = Duration.zero
        var slots: [Duration] = []
        for _ in 0..<5000 {
            slots.append(budget.reserve(at: now) ?? now)
            now += .milliseconds(Int.random(in: 0...120, using: &random))
        }
        for start in slots.indices where start + 620 < slots.count {
            #expect(slots[start + 620] - slots[start] >= .milliseconds(59_900))
        }
    }

    @Test(
        arguments: [(nil, 10_000, 0.0), (6000, 1, 0.01), (6000, 10_000, 100), (120, 60, 30)] as [(Int?, Int, Double)]
    )
    func `computes the shortest interval for a number of trips`(quota: Int?, trips: Int, seconds: Double) {
        var budget = PollBudget(requestsPerMinute: quota, interval: .seconds(5))
        budget.trips = trips
        #expect(abs(budget.shortestInterval.seconds - seconds) < 1e-6)
    }

    @Test func `never delays a single trip because of its own retries`() {
        var budget = PollBudget(requestsPerMinute: nil, interval: .seconds(5))
        for number in 0..<20 { #expect(budget.reserve(at: .milliseconds(number)) == nil) }
        #expect(budget.reserve(at: .milliseconds(20)) != nil)
    }
}
