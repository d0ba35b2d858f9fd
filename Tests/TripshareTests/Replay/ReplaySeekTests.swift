import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

/// Moving to a time of a recording shows what playing to that time shows.
@Suite("Seeking in a replay", .ends(within: .longTest))
struct ReplaySeekTests {
    /// Times of a recording, the same in each run: in between events and at them, also at the ends.
    private func times(_ replay: RecordedReplay, count: Int) -> [Duration] {
        var random = SeededGenerator(seed: 7)
        let index = replay.index
        let length = index.length.seconds
        let any = (0..<count).map { _ in Duration.seconds(Double.random(in: 0...length, using: &random)) }
        let exact = (0..<count).map { _ in index.time(of: Int.random(in: 0..<index.count, using: &random)) }
        return any + exact + [.zero, index.length]
    }

    private func check(_ replay: RecordedReplay, _ times: [Duration], _ note: String) {
        var expected: [Duration: String] = [:]
        var player = replay.restarted
        for time in times.sorted() {
            player.play(to: time)
            expected[time] = player.picture
        }
        var seeker = replay.restarted
        for (number, time) in times.enumerated() {
            // At first, keyframes exist only where the replay has been.
            if number == times.count / 2 { seeker.readAhead() }
            seeker.seek(time)
            #expect(seeker.picture == expected[time], "\(note) at \(time)")
        }
    }

    @Test(arguments: ["airport-pickup", "shared-pool", "token-trouble", "engine-trouble", "tunnel", "date-line"])
    func `shows the same as playing from the beginning`(_ name: String) async throws {
        let replay = try await RecordedReplay(name)
        check(replay, times(replay, count: 10), name)
    }

    @Test(arguments: ["2", "3", "4", "5", "6", "7", "b", "a", "P"])
    func `shows the same in every view`(_ key: String) async throws {
        let replay = try await RecordedReplay("back-to-back", keys: key, width: 80, height: 24)
        check(replay, times(replay, count: 5), key)
    }

    @Test func `steps stop at polls, events and marks, and return by the same way`() async throws {
        var replay = try await RecordedReplay("airport-pickup")
        var pictures = [replay.picture]
        for _ in 0..<6 {
            replay.perform(.seek(.poll(forward: true)))
            pictures.append(replay.picture)
        }
        #expect(Set(pictures).count == 7)
        for picture in pictures.dropLast().reversed().dropLast() {
            replay.perform(.seek(.poll(forward: false)))
            #expect(replay.picture == picture)
        }
        replay.perform(.seek(.start))
        replay.perform(.seek(.mark(forward: true)))
        let mark = try #require(replay.index.marks.first)
        #expect(replay.driver.moment.steady == replay.index.start.steady + mark.at)
        #expect(replay.state.message?.contains(mark.detail) == true)
    }

    @Test func `stops at the end, stays seekable, and a loop begins again`() async throws {
        var replay = try await RecordedReplay("rider-cancels")
        replay.perform(.seek(.end))
        let end = replay.picture
        replay.perform(.togglePause)
        replay.play(for: .seconds(replay.index.length.seconds / 10 + 1))
        #expect(replay.state.timeLine?.isPaused == true)
        replay.seek(.seconds(30))
        #expect(replay.picture != end)
        replay.perform(.seek(.end))
        replay.perform(.toggleLoop)
        replay.play(for: .seconds(1.5))
        let position = try #require(replay.state.timeLine?.position)
        #expect(position < .seconds(10), "\(position)")
    }

    @Test func `the end is shown, also if it is reached between two pictures`() async throws {
        var replay = try await RecordedReplay("rider-cancels")
        replay.seek(replay.index.length - .seconds(1))
        replay.perform(.togglePause)
        let later = Duration.seconds(10)
        #expect(replay.driver.wait(at: later) != nil)
        replay.play(for: .seconds(1))
        #expect(replay.driver.wait(at: later) == nil)
        #expect(replay.state.timeLine?.position == replay.index.length)
    }

    @Test func `a command of the user stays in force: only the ride moves`() async throws {
        var replay = try await RecordedReplay("shared-pool")
        replay.seek(.seconds(100))
        for key: Key in [.character("4"), .character("?")] { _ = replay.key(key) }
        replay.seek(.seconds(10))
        #expect(replay.state.view == .network && replay.state.overlay == .help(row: 0))
    }

    @Test func `keyframes stay few, and each is used`() async throws {
        let replay = try await RecordedReplay("traffic-jam")
        replay.readAhead()
        let frames = replay.driver.frames
        #expect(frames.progress == nil)
        for number in 0..<replay.index.count {
            let frame = frames.frame(until: number)
            #expect(number - frame.cursor.number < replay.index.stride)
        }
    }
}
