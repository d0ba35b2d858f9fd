import Foundation
import Runtime
import TripFeed
import TripModel

/// What a log has shown of one journey so far.
struct LogTrack: Sendable {
    /// The time in seconds for which a state has to hold before it is examined.
    ///
    /// A driver reports one change in several calls, such as the distance first and then the route. What is between two of them
    /// is no finding, and no rider sees it.
    private static let shortestState = 1.0
    /// The interval at which drivers report during a trip.
    private static let interval = Duration.seconds(5)

    /// The last values of each side.
    var sides: TripSides
    /// The differences between the sides.
    var differences: [SideDifference] = []
    /// The last state.
    private(set) var state: TripState
    private var detector: FindingDetector
    /// When a state was last examined; `nil` before.
    private var examined: Date?
    /// Whether the last state was not examined yet.
    private var isWaiting = false

    /// Creates a track of a journey without calls.
    init(_ journey: JourneyID, trailLength: Int, detector: FindingDetector) {
        sides = TripSides(id: journey)
        state = TripState(id: journey, trailLength: trailLength)
        self.detector = detector
    }

    /// Whether a time is not before the time of the last state, if there is a state.
    func isCurrent(_ time: Date) -> Bool { state.lastAnswer.map { $0.wall <= time } ?? true }

    /// Examines the state that has held until a call or the end of the log, as the last poll before would have shown it.
    mutating func confirm(at now: Moment, isEnd: Bool = false) -> [Finding] {
        guard let journey = state.journey, let last = state.lastAnswer, let examined, isCurrent(now.wall) else {
            return []
        }
        let isLong = now.wall.timeIntervalSince(examined) >= Self.shortestState
        guard isEnd ? isWaiting : isLong else { return [] }
        // A log has every call, so nothing else has happened in between.
        let poll = now.advanced(by: .zero - Self.interval)
        let held = poll.wall > last.wall ? poll : last
        state.merge(journey, serverDate: nil, sent: held, at: held)
        return examine(Self.report(of: journey, at: held), by: now)
    }

    /// Records the state after a call; returns the events of a poll that would return it.
    ///
    /// The call of a driver may be followed by another call about the same change. So without another status, the state after it
    /// is examined once it has held.
    mutating func record(_ journey: Journey, by side: TripSide, at now: Moment) -> [FeedEvent] {
        let report = Self.report(of: journey, at: now)
        let isOtherStatus = state.journey?.status != journey.status
        state.merge(journey, serverDate: nil, sent: now, at: now)
        let schedule = PollSchedule(interval: Self.interval, next: nil)
        let events: [FeedEvent] = [.polling(journey.id, schedule), .polled(report, state, schedule)]
        isWaiting = true
        guard side == .server || isOtherStatus else { return events }
        let findings = examine(report, by: now)
        return findings.isEmpty ? events : events + [.found(journey.id, findings)]
    }

    private mutating func examine(_ report: PollReport, by now: Moment) -> [Finding] {
        // If a log begins during the trip, the status is not known at first.
        guard let journey = state.journey, journey.status.unknownName == nil else { return [] }
        (examined, isWaiting) = (now.wall, false)
        return detector.examine(report, state: state, interval: Self.interval)
    }

    private static func report(of journey: Journey, at now: Moment) -> PollReport {
        var report = PollReport(journey: journey.id, started: now)
        report.serverDate = now.wall
        report.outcome = .success(journey)
        return report
    }
}
