import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("System clock", .ends(within: .minutes(10)))
struct SystemClockTests {
    @Test func `agrees with the machine's clocks and never goes back`() {
        let clock = SystemClock()
        // The clock that is read here has a resolution of a few milliseconds.
        let before = Date() - 0.1
        var last = clock.now()
        #expect(before <= last.wall && last.wall <= Date())
        for _ in 0..<1000 {
            let now = clock.now()
            #expect(now.steady >= last.steady)
            last = now
        }
        #expect(clock.speed == 1)
    }

    @Test func `wakes at once for a time in the past and never earlier than requested`() async throws {
        let clock = SystemClock()
        let begin = clock.now().steady
        try await clock.sleep(until: .zero)
        try await clock.sleep(until: begin + .milliseconds(2))
        #expect(clock.now().steady >= begin + .milliseconds(2))
    }

    @Test func `wakes each of many tasks, whatever the order of their times`() async throws {
        let clock = SystemClock()
        let begin = clock.now().steady
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                let deadline = begin + .microseconds((number * 7919) % 20_000)
                group.addTask {
                    try await clock.sleep(until: deadline)
                    #expect(clock.now().steady >= deadline)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a cancelled sleep ends at once, and the others go on`() async throws {
        let clock = SystemClock()
        let begin = clock.now().steady
        let long = Task.immediate { try await clock.sleep(until: begin + .seconds(86_400)) }
        let short = Task.immediate { try await clock.sleep(until: begin + .milliseconds(20)) }
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
        try await short.value
        #expect(clock.now().steady >= begin + .milliseconds(20))
    }
}
