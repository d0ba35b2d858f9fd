import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripText

/// Measures opening and seeking in a recording of ten hours.
struct ReplayBenchmark {
    /// The number of polls.
    var polls = 100_000
    private static let seeks = 200

    func run() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        try LongRecording(polls: polls).write(to: file)
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        say("Replay of \(polls) polls in 10 h, \(size >> 20) MB")
        let before = resident() ?? 0
        let real = Duration.zero
        var opened: (State, ReplayDriver, ReplayReader)?
        let open = try await nanoseconds(of: {
            let (first, opening) = try Self.open(file)
            var clock = ReplayClock(
                length: opening.index.length,
                speed: 1,
                isLooping: false,
                position: .zero,
                at: real
            )
            clock.pause(true, at: real)
            var state = first
            var driver = ReplayDriver(opening, state, clock: clock)
            Self.show(&state, &driver)
            opened = (state, driver, ReplayReader(driver.frames, first))
        })
        guard var (state, driver, reader) = opened else { return }
        say("  opened with the first picture in \(Self.text(open)) ms (aim 1000)")
        say("  \(driver.frames.index.count) events, \(driver.frames.index.marks.count) marks")
        let ahead = await nanoseconds(of: { while reader.read(1000) {} })
        say("  read ahead in the background in \(Self.text(ahead)) ms")
        let frames = driver.frames
        say(
            "  \(frames.count) keyframes, each \(frames.index.stride) events or more, \(frames.bytes >> 20) MB by estimate"
        )
        var random = SeededGenerator(seed: 5)
        var times: [Double] = []
        for _ in 0..<Self.seeks {
            let time = Double.random(in: 0...driver.clock.length.seconds, using: &random)
            let taken = await nanoseconds(of: {
                driver.perform(.seek(.time(.seconds(time))), on: &state, at: real)
                Self.show(&state, &driver)
            })
            times.append(taken)
        }
        times.sort()
        say("  seek: median \(Self.text(times[times.count / 2])) ms, worst \(Self.text(times.last ?? 0)) ms (aim 100)")
        if let after = resident() { say("  memory: \((after - before) >> 20) MB more than before opening") }
    }

    /// The resident memory in bytes; `nil` if the system does not tell.
    private func resident() -> Int? {
        // Field 2 of statm is the number of resident pages of 4 KiB. Another system has no such file.
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
    }

    private static func text(_ nanoseconds: Double) -> String { String(format: "%.1f", nanoseconds / 1e6) }

    /// Opens the recording as `tripshare replay` does.
    private static func open(_ file: URL) throws -> (State, ReplayOpening) {
        let handle = try FileHandle(forReadingFrom: file)
        let size = Int(try handle.seekToEnd())
        let descriptor = handle.fileDescriptor
        let bytes = RecordingBytes(count: size) { range in
            // The handle stays open as long as the closure.
            _ = handle
            return unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
                count = max(0, unsafe pread(descriptor, buffer.baseAddress, range.count, off_t(range.lowerBound)))
            }
        }
        let header = try RecordingReader(bytes).header
        let start = header.start.moment ?? LongRecording.start
        let trips = try header.configuration.trips.map { try JourneyID(named: $0) }
        let player = RecordingPlayer(
            provider: try ProviderID(header.configuration.provider),
            trailLength: TripFeed.trailLength(for: trips.count)
        )
        let state = State(
            trips: trips,
            settings: State.Settings(host: header.configuration.host),
            now: start,
            width: 120,
            height: 40
        )
        return (state, ReplayOpening(bytes, player, start: start))
    }

    private static func show(_ state: inout State, _ driver: inout ReplayDriver) {
        repeat { _ = driver.advance(&state, at: .zero) { false } } while driver.isBehind
        _ = state.update(.timeLine(driver.timeLine(.recording, at: .zero)))
        _ = view(state)
    }
}
