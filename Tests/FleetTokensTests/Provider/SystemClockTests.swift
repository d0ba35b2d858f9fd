import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("System clock", .ends(within: .quickTest))
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
}
