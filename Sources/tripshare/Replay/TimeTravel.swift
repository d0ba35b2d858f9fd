import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripScreen

/// Shows the last minutes of a session as they were, while the session continues.
struct TimeTravel: Sendable {
    /// What is on the screen: the user's choices, and the past or the present.
    var state: State
    private(set) var driver: ReplayDriver
    /// The past moment while the present is shown; `nil` while the past is shown.
    private var past: State.Snapshot?

    /// Begins at the present moment, paused; `nil` if there is nothing to show.
    ///
    /// - Parameters:
    ///   - bytes: The last minutes as a recording.
    ///   - live: The screen of the session.
    ///   - trailLength: The maximum number of stored positions per trip.
    ///   - real: The real time.
    init?(_ bytes: [UInt8], from live: State, trailLength: Int, at real: Duration) {
        // The recording was made by this process, so that its header is valid.
        guard let header = try? RecordingReader(bytes: bytes).header, let start = header.start.moment,
            let provider = try? ProviderID(header.configuration.provider)
        else { return nil }
        let player = RecordingPlayer(provider: provider, trailLength: trailLength)
        let opening = ReplayOpening(RecordingBytes(bytes), player, start: start)
        guard opening.index.count > 0 else { return nil }
        state = live
        let empty = State(
            trips: live.trips.map(\.id),
            settings: live.settings,
            now: start,
            width: live.width,
            height: live.height
        )
        state.restore(empty.snapshot)
        var clock = ReplayClock(
            length: opening.index.length,
            speed: 1,
            isLooping: false,
            position: opening.index.length,
            at: real
        )
        clock.pause(true, at: real)
        driver = ReplayDriver(opening, state, clock: clock)
        // Its row changes the layout, on which the section of the map depends.
        update(past: state.snapshot, live.snapshot, at: real)
    }

    /// Whether the present is shown.
    var showsPresent: Bool { past != nil }

    /// Shows the position at a real time, or the present.
    mutating func advance(_ live: State, at real: Duration, isLate: () -> Bool) -> [Effect] {
        var effects: [Effect] = []
        let present = live.snapshot
        if let past {
            state.restore(present)
            _ = state.update(.speed(live.settings.speed))
            effects += state.update(.tick(live.latestMoment))
            update(past: past, present, at: real)
        } else {
            effects += driver.advance(&state, at: real, isLate: isLate)
            _ = driver.dequeueSteps()
            update(past: state.snapshot, present, at: real)
        }
        return effects
    }

    private mutating func update(past: State.Snapshot, _ present: State.Snapshot, at real: Duration) {
        var line = driver.timeLine(showsPresent ? .present : .past, at: real)
        line.age = .seconds(max(0, present.latest.wall.timeIntervalSince(driver.moment.wall)))
        line.differences = state.differences(from: past, to: present)
        _ = state.update(.timeLine(line))
    }

    /// Performs a command; it shows the past.
    mutating func perform(_ command: ReplayAction, at real: Duration) {
        if showsPresent { compare(at: real) }
        driver.perform(command, on: &state, at: real)
    }

    /// Switches between the past and the present.
    mutating func compare(at real: Duration) {
        if let past {
            state.restore(past)
            self.past = nil
        } else {
            driver.pause(at: real)
            past = state.snapshot
        }
    }

    /// Returns the real time until the screen next changes by itself.
    func wait(at real: Duration) -> Duration? { showsPresent ? .seconds(1) : driver.wait(at: real) ?? .seconds(1) }
}

extension ReplayReader {
    /// Reads all events; ends early when its task is cancelled.
    ///
    /// `report` is called when another percent of a long recording was read, and at the end.
    mutating func readAll(of count: Int, report: @Sendable () async -> Void) async {
        var reported = 0
        while !Task.isCancelled, read(64) {
            if count > 20_000, (number - reported) * 100 > count {
                reported = number
                await report()
            } else {
                await Task.yield()
            }
        }
        await report()
    }
}
