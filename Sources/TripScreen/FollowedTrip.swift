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
    /// The fetches of its tokens.
    package internal(set) var tokenHistory = TokenHistory()
    /// What its token says, and the rules about it; `nil` before a token was looked at.
    package internal(set) var verdict: TokenVerdict?
    /// The last two bodies that came, the newest last, for the inspector.
    package internal(set) var bodies: [[UInt8]] = []
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
