import FleetTokens
import Foundation
import Testing
import TripModel

@Suite("System clock")
struct SystemClockTests {
    @Test func `agrees with the machine's clocks and never goes back`() {
        let clock = SystemClock()
        var last = clock.now()
        #expect(abs(last.wall.timeIntervalSince(Date())) < 0.1)
        for _ in 0..<1000 {
            let now = clock.now()
            #expect(now.steady >= last.steady)
            last = now
        }
        #expect(clock.speed == 1)
    }

    @Test func `wakes at once from a time that has passed, and from none later than asked`() async throws {
        let clock = SystemClock()
        let begin = clock.now().steady
        try await clock.sleep(until: .zero)
        try await clock.sleep(until: begin + .milliseconds(2))
        #expect(clock.now().steady >= begin + .milliseconds(2))
    }
}
