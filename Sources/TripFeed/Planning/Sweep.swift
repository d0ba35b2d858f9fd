import Failures

/// The pages of the trips of a project: which one is due, and when.
///
/// Its times come from a ``PollTimetable`` and its delays from a ``FailureStreak``, as for the polls of a known trip.
struct Sweep: Sendable {
    /// The maximum number of pages of one sweep.
    private static let mostPages = 1000
    /// The delay after the first failed page.
    private static let delay = Duration.seconds(4)

    /// The number of this sweep, from 1.
    private(set) var number = 1
    /// When its first page was requested.
    private(set) var start: Duration
    /// The token of the page that is due or requested; `nil` for the first one.
    private var token: String?
    private var pages = 0
    /// The number of followed trips on its pages.
    private var listed = 0
    private let policy: PollMachine.Policy
    private var timetable: PollTimetable
    private var streak = FailureStreak()

    /// Creates the sweeps of a project; the first starts now.
    init(every interval: Duration, at now: Duration) {
        start = now
        policy = PollMachine.Policy(interval: interval, shortestInterval: .zero, creationTimeout: nil)
        timetable = PollTimetable(policy: policy, firstDue: now)
    }

    /// The time from the start of one sweep to the start of the next.
    var interval: Duration { timetable.schedule.interval }

    /// When the next page is due; `nil` while one is requested.
    var due: Duration? { timetable.schedule.next }

    /// Records that the page that is due was requested; returns its token.
    mutating func begin(at now: Duration) -> String? {
        if token == nil { (start, pages, listed) = (now, 0, 0) }
        timetable.began(at: now, startsSeries: true)
        return token
    }

    /// Records a page with some followed trips; returns whether it was the last one of its sweep.
    mutating func answered(listed count: Int, pageToken: String?, mostTrips: Int, at now: Duration) -> Bool {
        timetable.recordAnswer()
        streak = FailureStreak()
        pages += 1
        listed += count
        // A service that repeats a token or never ends its list must not prolong the sweep forever.
        if let pageToken, pageToken != token, pages < Self.mostPages, listed < mostTrips {
            token = pageToken
            timetable.plan(now, .interval)
            return false
        }
        token = nil
        number += 1
        timetable.plan(max(now, start + interval), .interval)
        return true
    }

    /// Records a failed page.
    mutating func failed(_ failure: Failure, at now: Duration, jitter: Double) {
        timetable.recordFailure(failure, at: now)
        // The service may refuse the request itself, such as an outdated page token.
        if failure.httpStatus == 400 || timetable.schedule.failures > 3 { token = nil }
        switch streak.record(failure, isKnown: true, policy, Self.delay, at: now, jitter: jitter) {
        case .after(let delay, let reason): timetable.plan(now + delay, reason)
        case .nextInterval, .never: timetable.plan(now + Self.delay, .backOff)
        }
    }
}
