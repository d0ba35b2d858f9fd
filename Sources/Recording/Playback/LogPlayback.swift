import Foundation
package import TripFeed
import TripModel

/// What a rider would have seen who polls the trips of a log at a regular interval; without side effects.
///
/// The polls have no latency, no body and no token, because the log has none.
package struct LogPlayback: Sendable {
    /// The events of one poll.
    package struct Step: Sendable {
        /// The time since the first entry of the log.
        package var at: Duration
        /// The events in order.
        package var events: [FeedEvent]
    }

    private struct Track: Sendable {
        let timeline: RecordedTrips.Timeline
        var state: TripState
        var detector: FindingDetector
        /// The time of the next poll.
        var next: Date?
        /// Whether a poll has seen the end of the trip.
        var isConfirming = false
    }

    private let start: Date
    private let interval: Duration
    private var tracks: SharedArray<Track>

    /// Creates a playback that polls from the first entry of each trip on.
    ///
    /// - Parameters:
    ///   - trips: The trips of the log.
    ///   - interval: The poll interval, greater than zero.
    ///   - limits: The thresholds of findings.
    package init(_ trips: RecordedTrips, every interval: Duration, limits: FindingLimits = FindingLimits()) {
        start = trips.start
        self.interval = interval
        let absent = trips.absentFields
        let trailLength = TripFeed.trailLength(for: trips.timelines.count)
        tracks = SharedArray(
            trips.timelines.lazy.map { timeline in
                Track(
                    timeline: timeline,
                    state: TripState(id: timeline.id, trailLength: trailLength),
                    detector: FindingDetector(
                        trip: timeline.id,
                        provider: trips.provider,
                        absent: absent,
                        limits: limits
                    ),
                    next: timeline.snapshots.first?.time
                )
            }
        )
    }

    /// Returns the approximate number of bytes besides those that it shares with another playback.
    func unsharedBytes(with other: LogPlayback?) -> Int { tracks.unsharedBytes(with: other?.tracks) }

    /// The time of the next poll since the first entry; `nil` at the end.
    package var nextTime: Duration? {
        tracks.compactMap(\.next).min().map { .microseconds(Int64(($0.timeIntervalSince(start) * 1e6).rounded())) }
    }

    /// Returns the next poll of any trip; `nil` at the end.
    package mutating func next() -> Step? {
        let due = tracks.indices.compactMap { index in tracks[index].next.map { (index, $0) } }.min { $0.1 < $1.1 }
        guard let (index, time) = due, let answer = tracks[index].timeline.snapshot(at: time)?.trip else { return nil }
        let at = Duration.microseconds(Int64((time.timeIntervalSince(start) * 1e6).rounded()))
        let now = Moment(wall: time, steady: at)
        var report = PollReport(trip: answer.id, started: now)
        report.serverDate = time
        report.outcome = .success(answer)
        tracks[index].state.merge(answer, serverDate: nil, sent: now, at: now)
        let state = tracks[index].state
        let isOver = answer.status.isTerminal && tracks[index].isConfirming
        tracks[index].isConfirming = answer.status.isTerminal
        tracks[index].next = isOver ? nil : next(after: time, tracks[index])
        let schedule = PollSchedule(interval: interval, next: tracks[index].next.map { _ in at + interval })
        var events: [FeedEvent] = [.polling(answer.id, schedule), .polled(report, state, schedule)]
        let findings = tracks[index].detector.examine(report, state: state, interval: interval)
        if !findings.isEmpty { events.append(.found(answer.id, findings)) }
        if isOver { events.append(.ended(answer.id, .reached(answer.status))) }
        return Step(at: at, events: events)
    }

    /// The time of the next poll; `nil` after the last entry of a trip that has not ended.
    private func next(after time: Date, _ track: Track) -> Date? {
        let next = time.addingTimeInterval(interval.seconds)
        if track.isConfirming { return next }
        guard let last = track.timeline.snapshots.last?.time, time < last else { return nil }
        return next
    }
}
