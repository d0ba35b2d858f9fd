import Canvas
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// A stored recording of a scenario, played by a driver on a screen without a terminal.
struct RecordedReplay {
    private let opening: ReplayOpening
    private let empty: State
    private(set) var state: State
    private(set) var driver: ReplayDriver
    private var real = Duration.zero

    /// Opens a recording of `Tests/TripshareTests/Recordings`.
    init(_ name: String, keys: String = "", width: Int = 120, height: Int = 40) async throws {
        try self.init(try await Self.bytes(name), keys: keys, width: width, height: height)
    }

    /// The bytes of a recording of `Tests/TripshareTests/Recordings`.
    static func bytes(_ name: String) async throws -> [UInt8] {
        let file = Checkout.folder.appending(path: "Tests/TripshareTests/Recordings/\(name).ndjson.gz")
        let unpacked = try await Program.run(executable: "/usr/bin/gzip", ["-dc", file.path])
        try #require(unpacked.status == 0)
        return Array(unpacked.output.utf8)
    }

    /// A reader of a recording of `Tests/TripshareTests/Recordings`.
    static func reader(_ name: String) async throws -> RecordingReader {
        try RecordingReader(bytes: try await bytes(name))
    }

    init(_ bytes: [UInt8], keys: String = "", width: Int = 120, height: Int = 40) throws {
        let header = try RecordingReader(bytes: bytes).header
        let start = try #require(header.start.moment)
        let trips = try header.configuration.trips.map { try TripID($0) }
        let player = RecordingPlayer(
            provider: try ProviderID(header.configuration.provider),
            trailLength: TripFeed.trailLength(for: max(1, trips.count))
        )
        opening = ReplayOpening(RecordingBytes(bytes), player, start: start)
        empty = State(
            trips: trips.map(JourneyID.trip),
            settings: State.Settings(host: header.configuration.host),
            now: start,
            width: width,
            height: height
        )
        (state, driver) = Self.begin(opening, empty, keys)
        self.keys = keys
    }

    private let keys: String

    private static func begin(_ opening: ReplayOpening, _ empty: State, _ keys: String) -> (State, ReplayDriver) {
        var state = empty
        for key in keys { _ = state.update(.key(.character(key))) }
        var clock = ReplayClock(
            length: opening.index.length,
            speed: 10,
            isLooping: false,
            position: .zero,
            at: .zero
        )
        clock.pause(true, at: .zero)
        let driver = ReplayDriver(opening, state, clock: clock)
        // Its row changes the layout, on which the section of the map depends.
        _ = state.update(.timeLine(driver.timeLine(.recording, at: .zero)))
        return (state, driver)
    }

    /// The same recording at its beginning, without keyframes.
    var restarted: RecordedReplay {
        var copy = self
        (copy.state, copy.driver) = Self.begin(opening, empty, keys)
        return copy
    }

    var index: ReplayIndex { opening.index }
    /// What is on the screen.
    var picture: String { view(state).text }

    /// Moves to a time.
    mutating func seek(_ time: Duration) {
        perform(.seek(.time(time)))
    }

    /// Performs an action and shows its effect.
    mutating func perform(_ action: ReplayAction) {
        driver.perform(action, on: &state, at: real)
        show()
    }

    /// Presses a key.
    mutating func key(_ key: Key) -> [Effect] { state.update(.key(key)) }

    /// Lets real time pass in short steps.
    mutating func play(for duration: Duration) {
        let end = real + duration
        while real < end {
            real = min(end, real + .milliseconds(300))
            show()
        }
    }

    /// Plays from the present position to a time.
    mutating func play(to time: Duration) {
        let left = time - driver.clock.position(at: real)
        guard left > .zero else { return show() }
        perform(.togglePause)
        // The clock computes with binary fractions, so that the last millisecond is a step.
        play(for: .seconds(max(0, left.seconds - 0.001) / driver.clock.speed))
        perform(.togglePause)
        perform(.seek(.time(time)))
    }

    /// Reads the whole recording ahead.
    func readAhead() {
        var reader = ReplayReader(driver.frames, empty)
        while reader.read(100) {}
    }

    private mutating func show() {
        repeat { _ = driver.advance(&state, at: real) { false } } while driver.isBehind
        _ = state.update(.timeLine(driver.timeLine(.recording, at: real)))
    }
}
