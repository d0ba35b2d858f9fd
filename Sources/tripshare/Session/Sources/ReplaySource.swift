import AsyncAlgorithms
import FleetTokens
import Foundation
import Recording
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripScreen

/// Plays a recording or a log at the times of the session's clock.
final class ReplaySource: Sendable {
    /// What is played.
    enum Content: Sendable {
        /// A recorded session: its bytes, and how they are read and played.
        case recording(RecordingBytes, RecordingReader, RecordingPlayer)
        /// A log, polled as a rider would have.
        case log(RecordedLog, LogPlayback)
    }

    /// The parts that ``play(_:)`` plays, in order; nothing is dropped if the reader is slow.
    let parts = AsyncChannel<SessionSource.Part>()
    private let content: Content
    /// The position from which it is played, since its start.
    let from: Duration
    /// Whether a screen begins again at the end.
    let isLooping: Bool
    /// Whether the events come at their times, not as fast as they are read.
    private let isPaced: Bool
    private let skipped = Mutex<(count: Int, line: Int)?>(nil)

    /// Creates a source at the start.
    init(_ content: Content, from: Duration = .zero, isLooping: Bool = false, isPaced: Bool = true) {
        self.content = content
        self.from = from
        self.isLooping = isLooping
        self.isPaced = isPaced
        if case .log(let log, _) = content, let lines = log.trips.skipped {
            note(skipped: lines.count, first: lines.first)
        }
    }

    /// Returns what a screen needs to play it from any place; reads the whole file once.
    func open() -> ReplayOpening {
        switch content {
        case .recording(let bytes, let reader, let player):
            // The command has checked the header.
            let start = reader.header.start.moment ?? Moment(wall: .distantPast, steady: .zero)
            let opening = ReplayOpening(bytes, player, start: start)
            note(skipped: opening.index.skipped, first: 0)
            return opening
        case .log(let log, let playback): return ReplayOpening(log, playback)
        }
    }

    /// Whether it is a log, which has what driver, server and rider knew.
    var isLog: Bool { if case .log = content { true } else { false } }

    private func note(skipped count: Int, first line: Int) {
        if count > 0 { skipped.withLock { $0 = (count, line) } }
    }

    /// The skipped lines of the log, or of the recording after it was played; `nil` if there are none.
    var skippedLines: (count: Int, line: Int)? { skipped.withLock { $0 } }

    /// The recording before its first event; `nil` for a log.
    var recording: RecordingReader? {
        guard case .recording(_, let reader, _) = content else { return nil }
        return reader
    }

    /// Sends every event to ``parts`` when it is due, and then the end.
    ///
    /// Returns after the end was received, or when the task is cancelled.
    func play(_ clock: ScaledClock) async {
        var due: [SessionItem] = []
        var count = 0
        switch content {
        case .recording(_, var reader, var player):
            // The command has checked the header.
            let start = reader.header.start.moment ?? Moment(wall: .distantPast, steady: .zero)
            while let event = reader.next() {
                count += 1
                guard await Self.goesOn(after: count) else { return }
                // Events before the first position are part of the state, but not shown.
                guard event.at >= start.steady + from || from == .zero else {
                    _ = player.item(of: event)
                    continue
                }
                guard await wait(until: event.at, clock, &due) else { return }
                let at = start.advanced(by: event.at - start.steady)
                if let item = player.item(of: event).flatMap({ SessionItem(played: $0, at: at) }) { due.append(item) }
            }
            note(skipped: reader.skippedCount, first: reader.skipped.first?.line ?? 0)
        case .log(let log, var playback):
            let start = Moment(wall: log.trips.start, steady: .zero)
            while let step = playback.next() {
                count += 1
                guard await Self.goesOn(after: count) else { return }
                guard step.at >= from else { continue }
                guard await wait(until: step.at, clock, &due) else { return }
                let at = start.advanced(by: step.at)
                due += step.events.map { SessionItem(.feed($0), at: at) }
            }
        }
        await send(&due)
        await parts.send(.end)
    }

    /// The number of events that are sent at once.
    private static let groupSize = 64

    private func send(_ due: inout [SessionItem]) async {
        guard !due.isEmpty else { return }
        await parts.send(.items(due))
        due = []
    }

    /// Lets other tasks run after every 64 events, because events that are due are played without a wait; returns `false` if
    /// the task is cancelled.
    private static func goesOn(after count: Int) async -> Bool {
        if count.isMultiple(of: 64) { await Task.yield() }
        return !Task.isCancelled
    }

    /// Waits for a steady time, before which what is due is sent; returns `false` if the task is cancelled.
    private func wait(until time: Duration, _ clock: ScaledClock, _ due: inout [SessionItem]) async -> Bool {
        let isLater = isPaced && time > clock.now().steady
        if isLater || due.count >= Self.groupSize { await send(&due) }
        guard isLater else { return !Task.isCancelled }
        // An error means that the session has ended.
        return (try? await clock.sleep(until: time)) != nil
    }
}
