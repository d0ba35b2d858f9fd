import Recording
import Testing
import TripModel
import TripTestSupport

@Suite("Clock of a replay", .ends(within: .quickTest))
struct ReplayClockTests {
    private let none = ReplayIndex(
        of: RecordingBytes([]),
        start: ManualClock().now()
    )

    private func clock(_ speed: Double = 1, isLooping: Bool = false) -> ReplayClock {
        ReplayClock(length: .seconds(100), speed: speed, isLooping: isLooping, position: .zero, at: .seconds(5))
    }

    @Test func `the position grows with the speed and stops at the end`() {
        var clock = clock(10)
        #expect(clock.position(at: .seconds(8)) == .seconds(30))
        #expect(clock.position(at: .seconds(50)) == .seconds(100) && clock.hasEnded(at: .seconds(50)))
        #expect(clock.rate(at: .seconds(8)) == 10 && clock.rate(at: .seconds(50)) == 0)
        clock.perform(.seek(.time(.seconds(40))), in: none, at: .seconds(50))
        #expect(clock.position(at: .seconds(51)) == .seconds(50))
    }

    @Test func `a paused clock retains its position, also when it moves`() {
        var clock = clock()
        clock.perform(.togglePause, in: none, at: .seconds(15))
        #expect(clock.isPaused && clock.position(at: .seconds(90)) == .seconds(10))
        clock.perform(.seek(.offset(.seconds(-60))), in: none, at: .seconds(90))
        #expect(clock.position(at: .seconds(95)) == .zero)
        clock.perform(.seek(.offset(.seconds(7))), in: none, at: .seconds(95))
        clock.perform(.togglePause, in: none, at: .seconds(100))
        #expect(clock.position(at: .seconds(103)) == .seconds(10))
    }

    @Test func `the key for pause begins again at the end`() {
        var clock = clock()
        clock.perform(.seek(.end), in: none, at: .seconds(6))
        #expect(clock.hasEnded(at: .seconds(7)))
        clock.perform(.togglePause, in: none, at: .seconds(8))
        #expect(!clock.isPaused && clock.position(at: .seconds(9)) == .seconds(1))
    }

    @Test func `a speed changes what follows only, and stays between 0,1 and 600`() {
        var clock = clock()
        clock.perform(.setSpeed(600), in: none, at: .seconds(15))
        #expect(clock.position(at: .seconds(15)) == .seconds(10))
        clock.perform(.changeSpeed(faster: true), in: none, at: .seconds(15))
        #expect(clock.speed == 600)
        for _ in 0..<20 { clock.perform(.changeSpeed(faster: false), in: none, at: .seconds(15)) }
        #expect(clock.speed == 0.1)
        clock.perform(.setSpeed(0.05), in: none, at: .seconds(15))
        #expect(clock.speed == 0.1)
    }

    @Test func `a loop shows the end for a second and begins again`() {
        let clock = clock(10, isLooping: true)
        #expect(clock.position(at: .seconds(15.5)) == .seconds(100))
        #expect(clock.position(at: .seconds(17)) == .seconds(10))
        #expect(!clock.hasEnded(at: .seconds(15.5)))
    }

    @Test(arguments: [
        ("12:30", ReplayAction.seek(.time(.seconds(750)))), ("1:02:03", .seek(.time(.seconds(3723)))),
        ("90", .seek(.time(.seconds(90)))), ("0.5", .seek(.time(.seconds(0.5)))),
        ("+60", .seek(.offset(.seconds(60)))), ("-1:30", .seek(.offset(.seconds(-90)))), ("END", .seek(.end)),
        ("start", .seek(.start)),
    ])
    func `a place is a time, a difference or an end`(_ example: (text: String, action: ReplayAction)) {
        #expect(ReplayAction.seek(example.text) == example.action)
    }

    @Test(arguments: ["", "+", "1:60", "1:2:3:4", "a", "1e5", "--3", ":", "1:", "٣", "999999999"])
    func `another text is no place`(_ text: String) {
        #expect(ReplayAction.seek(text) == nil)
    }
}
