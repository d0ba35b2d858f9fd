import Foundation
import HeapModule
import Runtime
package import TripFeed
import TripModel

/// What a rider would have seen who polls the trips of a log at a regular interval; without side effects.
///
/// The polls have no latency, no body and no token, because the log has none. Where a log has no entry of a trip for long, all
/// answers would be the same: after ``regularPolls`` of them, the distance of the polls doubles until the next entry. The
/// number of polls therefore depends on the entries, and hardly on the time between them.
package struct LogPlayback: Sendable {
    /// The events of one poll.
    package struct Step: Sendable {
        /// The time since the first entry of the log.
        package var at: Duration
        /// The events in order.
        package var events: [FeedEvent]
    }

    fileprivate struct Track: Sendable {
        let timeline: RecordedTrips.Timeline
        var state: TripState
        var detector: FindingDetector
        /// The number of snapshots that the last poll has seen.
        var seen = 0
        /// The number of polls since the first one that has seen them.
        var repetitions = 0
        /// Whether a poll has seen the end of the trip.
        var isConfirming = false
    }

    /// The next poll of a trip; of several polls at one time, the poll of the first trip comes first.
    private struct Due: Sendable, Comparable {
        var time: Date
        var index: Int

        static func < (one: Due, other: Due) -> Bool { (one.time, one.index) < (other.time, other.index) }
    }

    /// The number of polls at the regular interval that see the same entry.
    static let regularPolls = 24

    private let start: Date
    private let interval: Duration
    private var tracks: SharedArray<Track>
    private var due: Heap<Due>

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
                        journey: timeline.id,
                        provider: trips.provider,
                        absent: absent,
                        limits: limits
                    )
                )
            }
        )
        due = Heap(
            trips.timelines.enumerated().compactMap { index, timeline in
                timeline.snapshots.first.map { Due(time: $0.time, index: index) }
            }
        )
    }

    /// Returns the approximate number of bytes besides those that it shares with another playback.
    func unsharedBytes(with other: LogPlayback?) -> Int {
        tracks.unsharedBytes(with: other?.tracks) + due.count * MemoryLayout<Due>.stride
    }

    /// The time of the next poll since the first entry; `nil` at the end.
    package var nextTime: Duration? {
        due.min.map { .microseconds(Int64(($0.time.timeIntervalSince(start) * 1e6).rounded())) }
    }

    /// Returns the next poll of any trip; `nil` at the end.
    package mutating func next() -> Step? {
        guard let (time, index) = due.popMin().map({ ($0.time, $0.index) }) else { return nil }
        let at = Duration.microseconds(Int64((time.timeIntervalSince(start) * 1e6).rounded()))
        let poll = tracks[index].poll(at: Moment(wall: time, steady: at), every: interval)
        guard let (events, next) = poll else { return nil }
        if let next { due.insert(Due(time: next, index: index)) }
        return Step(at: at, events: events)
    }
}

extension LogPlayback.Track {
    /// Polls the trip; returns the events and the time of the next poll, `nil` before the first entry.
    ///
    /// It changes the track in place: to read a part of an element of a ``SharedArray`` copies the whole element.
    fileprivate mutating func poll(at now: Moment, every interval: Duration) -> (events: [FeedEvent], next: Date?)? {
        let count = timeline.count(until: now.wall)
        guard count > 0 else { return nil }
        let answer = timeline.snapshots[count - 1].journey
        repetitions = count == seen ? repetitions + 1 : 0
        seen = count
        var report = PollReport(journey: answer.id, started: now)
        report.serverDate = now.wall
        report.outcome = .success(answer)
        state.merge(answer, serverDate: nil, sent: now, at: now)
        let isOver = answer.isOver && isConfirming
        isConfirming = answer.isOver
        let next = isOver ? nil : next(after: now.wall, every: interval)
        let schedule = PollSchedule(
            interval: interval,
            next: next.map { now.steady + Duration(clampedSeconds: $0.timeIntervalSince(now.wall)) }
        )
        var events: [FeedEvent] = [.polling(answer.id, schedule), .polled(report, state, schedule)]
        let findings = detector.examine(report, state: state, interval: interval)
        if !findings.isEmpty { events.append(.found(answer.id, findings)) }
        if isOver { events.append(.ended(answer.id, .reached(answer.status))) }
        return (events, next)
    }

    /// The time of the next poll; `nil` after the last entry of a trip that has not ended.
    private func next(after time: Date, every interval: Duration) -> Date? {
        let next = time.addingTimeInterval(interval.seconds)
        if isConfirming { return next }
        let snapshots = timeline.snapshots
        guard let last = snapshots.last?.time, time < last else { return nil }
        guard repetitions >= LogPlayback.regularPolls, snapshots.indices.contains(seen) else { return next }
        // The last poll before the next entry is a regular one, so that changes are seen after the usual time.
        let left = (snapshots[seen].time.timeIntervalSince(time) / interval.seconds).rounded(.up) - 1
        let distance = min(left, pow(2, Double(repetitions - LogPlayback.regularPolls + 1)))
        return distance > 1 ? time.addingTimeInterval(interval.seconds * distance) : next
    }
}
