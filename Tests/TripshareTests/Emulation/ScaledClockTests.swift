import FleetEmulator
import Foundation
import Recording
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import tripshare

@Suite("Program clock", .ends(within: .longTest))
struct ScaledClockTests {
    private let begin = Date(timeIntervalSince1970: 1_800_000_000)

    private func anchor(_ seconds: Double) -> ScaledClock.Anchor {
        ScaledClock.Anchor(real: begin, virtual: begin + seconds, speed: 20, isPaused: true)
    }

    /// Waits for a change after which a condition is true.
    private func wait(for clock: ScaledClock, until isSo: (ScaledClock) -> Bool) async {
        var seen = 0
        while !isSo(clock) {
            await clock.change(after: seen)
            seen = clock.changes
        }
    }

    @Test func `advances with the clock that it follows, and its steady time never goes back`() {
        let clock = ScaledClock(anchor: anchor(0))
        let first = clock.now()
        #expect(first.wall == begin && clock.now() == first, "it is paused")
        clock.follow(anchor(600))
        #expect(clock.now() == Moment(wall: begin + 600, steady: first.steady + .seconds(600)))
        clock.follow(anchor(100))
        #expect(clock.now() == Moment(wall: begin + 100, steady: first.steady + .seconds(600)))
        #expect(clock.rate == 0 && clock.speed == 20)
    }

    @Test func `its times survive a message and a recording, whether it runs, is stepped or is paused`() {
        let clock = ScaledClock(speed: 7.3, begins: begin + 0.123_456_789)
        for step in 0..<200 {
            if step.isMultiple(of: 20) { clock.control.pause(step.isMultiple(of: 40)) }
            clock.control.step(.nanoseconds(1_234_567_891))
            let now = clock.now()
            #expect(Timestamp.date(Timestamp.text(now.wall)) == now.wall)
            #expect(RecordedMoment(now).moment == now)
        }
    }

    @Test func `a sleep on a paused clock ends at the step that reaches the time it shows`() async throws {
        let clock = ScaledClock(anchor: anchor(0))
        let deadline = clock.now().steady + .seconds(5)
        async let sleep: Void = clock.sleep(until: deadline)
        // Less than a microsecond short of the deadline, which is the deadline on the clock.
        clock.control.step(.seconds(5) - .nanoseconds(300))
        try await sleep
        #expect(clock.now().steady >= deadline)
    }

    @Test func `measures real time regardless of pauses and steps`() {
        let clock = ScaledClock(anchor: anchor(0))
        let (start, before) = (ContinuousClock.now, clock.realTime)
        clock.follow(anchor(600))
        let measured = clock.realTime - before
        #expect(measured >= .zero && measured <= start.duration(to: .now))
    }

    @Test func `wakes sleepers when the clock that it follows has passed their deadline`() async throws {
        for isPaused in [true, false] {
            let clock = ScaledClock(anchor: anchor(0))
            let time = clock.now().steady + .seconds(60)
            let sleeping = Task.immediate { try await clock.sleep(until: time) }
            clock.follow(
                isPaused ? anchor(600) : ScaledClock.Anchor(real: .now - 3600, virtual: begin, speed: 20)
            )
            try await sleeping.value
        }
    }

    @Test func `all sleepers wake, none too early`() async throws {
        let clock = ScaledClock(speed: 600)
        let start = clock.now().steady
        try await withThrowingTaskGroup(of: Void.self) { group in
            for second in 1...500 {
                // The latest first, so that many alarms are set.
                let deadline = start + .seconds(501 - second)
                group.addTask {
                    try await clock.sleep(until: deadline)
                    #expect(clock.now().steady >= deadline - .microseconds(1))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a cancelled sleep ends at once, before and after it has begun`() async throws {
        let clock = ScaledClock(anchor: anchor(0))
        let time = clock.now().steady + .seconds(60)
        let sleeping = Task.immediate { try await clock.sleep(until: time) }
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        let late = Task.immediate {
            // Returns when the task is cancelled.
            await clock.change(after: .max)
            try await clock.sleep(until: time)
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test func `a faster clock wakes its sleepers earlier`() async throws {
        let clock = ScaledClock(speed: 0.1)
        let begun = clock.realTime
        let time = clock.now().steady + .seconds(60)
        let sleeping = Task.immediate { try await clock.sleep(until: time) }
        #expect(clock.control.setSpeed(600))
        try await sleeping.value
        #expect(clock.now().steady >= time && clock.realTime - begun < .seconds(300))
    }

    @Test func `follows a ready file and continues when the file is gone`() async throws {
        try await Program.withFolder { folder in
            let path = folder.appending(path: "ready.json").path
            let ready = ReadyFile(
                fleetEngineURL: "http://127.0.0.1:1",
                tokenURL: "",
                vehicleTokenURL: "",
                providerId: "p",
                tripIds: [],
                vehicleIds: [],
                clock: ReadyFile.Clock(anchor(0))
            )
            try ready.write(to: path)
            let clock = ScaledClock(anchor: anchor(0))
            let synchronization = Task { await ready.synchronize(clock, with: path) }
            // Its first read of the file, after which it sees every change.
            await wait(for: clock) { $0.changes > 0 }
            var later = ready
            later.clock = ReadyFile.Clock(anchor(600))
            try later.write(to: path)
            await wait(for: clock) { $0.now().wall == begin + 600 }
            #expect(clock.rate == 0)
            try FileManager.default.removeItem(atPath: path)
            await wait(for: clock) { $0.rate == 20 }
            synchronization.cancel()
            await synchronization.value
        }
    }

    @Test func `a ready file says whether the clock is paused; by default it runs`() throws {
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
