package import FleetTokens
package import TripFeed
package import TripModel

/// One trip on the screen: what is known of it, of its polls and of its token.
package struct FollowedTrip: Sendable {
    /// The trip.
    package let id: TripID
    /// What is known of it.
    package internal(set) var state: TripState
    /// The last poll that is over.
    package internal(set) var lastReport: PollReport?
    /// Polls that are over, and how long they took.
    package internal(set) var history = PollHistory()
    /// When the next poll comes; `nil` before the poller has told.
    package internal(set) var schedule: PollSchedule?
    /// Whether a poll is under way.
    package internal(set) var isPolling = false
    /// Why it is followed no more.
    package internal(set) var end: FeedEnd?
    /// How its token stands; `nil` before the first event.
    package internal(set) var token: TokenStatus?
    /// What the map draws, made once per answer.
    package internal(set) var map = MapPicture()

    /// What was found to be not as it should be, oldest first, at most ``mostFindings``.
    package private(set) var findings: [Finding] = []

    static let mostFindings = 500

    /// A trip of which nothing is known yet.
    package init(id: TripID) {
        self.id = id
        state = TripState(id: id)
    }

    mutating func add(_ news: [Finding]) {
        findings += news
        if findings.count > Self.mostFindings { findings.removeFirst(findings.count - Self.mostFindings) }
    }

    /// Whether its polls wait for a person.
    package var isPaused: Bool { schedule?.isPaused ?? false }
}

/// The polls of one trip, the last ones with their latencies.
package struct PollHistory: Sendable, Equatable {
    /// One poll.
    package struct Entry: Sendable, Equatable {
        /// How long the request took; `nil` where none was sent.
        package var latency: Duration?
        /// Whether it brought the trip.
        package var isGood: Bool
    }

    /// The last polls, oldest first, at most ``longest``.
    package private(set) var entries: [Entry] = []
    /// All polls so far.
    package private(set) var polls = 0
    /// Those that failed.
    package private(set) var errors = 0

    static let longest = 300

    /// Takes in a poll that is over.
    package mutating func add(_ report: PollReport) {
        polls += 1
        if report.failure != nil { errors += 1 }
        entries.append(
            Entry(latency: report.failure?.isOfService ?? true ? report.latency : nil, isGood: report.failure == nil)
        )
        if entries.count > Self.longest { entries.removeFirst() }
    }

    private var sorted: [Duration] { entries.compactMap(\.latency).sorted() }

    /// The latency that half of the last polls stayed below; `nil` before the first.
    package var median: Duration? {
        let sorted = sorted
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }

    /// The longest latency of the last polls; `nil` before the first.
    package var maximum: Duration? { entries.compactMap(\.latency).max() }
}
