import Foundation
import Testing
import TripModel

@testable import tripshare

@Suite("The program's clock")
struct ScaledClockTests {
    private let begin = Date(timeIntervalSince1970: 1_800_000_000)

    private func anchor(_ seconds: Double) -> ScaledClock.Anchor {
        ScaledClock.Anchor(real: begin, virtual: begin + seconds, speed: 20, isPaused: true)
    }

    @Test func `goes forward with the one that it follows, and its steady side never back`() {
        let clock = ScaledClock(anchor: anchor(0))
        let first = clock.now()
        #expect(first.wall == begin && clock.now() == first, "it stands")
        clock.follow(anchor(600))
        #expect(clock.now() == Moment(wall: begin + 600, steady: first.steady + .seconds(600)))
        clock.follow(anchor(100))
        #expect(clock.now() == Moment(wall: begin + 100, steady: first.steady + .seconds(600)))
        #expect(clock.rate == 0 && clock.speed == 20)
    }

    @Test func `wakes whoever sleeps when the one that it follows has passed that time`() async throws {
        let clock = ScaledClock(anchor: anchor(0))
        let sleeping = Task { try await clock.sleep(until: clock.now().steady + .seconds(60)) }
        clock.follow(ScaledClock.Anchor(real: .now - 3600, virtual: begin, speed: 20))
        try await sleeping.value
    }

    @Test func `a ready file says whether the clock stands, and one without a word that it runs`() throws {
        for isPaused in [true, false] {
            var anchor = anchor(5)
            anchor.isPaused = isPaused
            let text = try JSONEncoder().encode(ReadyFile.Clock(anchor))
            #expect(try JSONDecoder().decode(ReadyFile.Clock.self, from: text).paused == isPaused)
        }
        let old = Data(#"{"real":"2026-01-01T00:00:00Z","virtual":"2026-01-01T00:00:00Z","speed":2}"#.utf8)
        #expect(try JSONDecoder().decode(ReadyFile.Clock.self, from: old).paused == nil)
    }
}
