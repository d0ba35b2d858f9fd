package import FleetTokens
package import Foundation
package import TripFeed
package import TripModel

/// One trip on the screen: what is known of it, of its polls and of its token.
package struct FollowedTrip: Sendable {
    /// The trip.
    package let id: TripID
    /// What is known of it.
    package internal(set) var state: TripState
    /// The last poll that is over, without its body.
    package internal(set) var lastReport: PollReport?
    /// Polls that are over, and how long they took.
    package internal(set) var history = PollHistory()
    /// When the next poll comes; `nil` before the poller has told.
    package internal(set) var schedule: PollSchedule?
    /// When the poll that is under way began; `nil` while none is.
    package internal(set) var asked: Moment?
    /// Why it is followed no more.
    package internal(set) var end: FeedEnd?
    /// How its token stands; `nil` before the first event.
    package internal(set) var token: TokenStatus?
    /// The fetches of its tokens.
    package internal(set) var tokenHistory = TokenHistory()
    /// What its token says, and the rules about it; `nil` before a token was looked at.
    package internal(set) var verdict: TokenVerdict?
    /// When the token was looked at: what the verdict says of ages is meant for then.
    package internal(set) var inspected: Date?
    /// The last answer that did not bring the trip, as it came; `nil` where there was none.
    package private(set) var failedAnswer: Answer?
    /// The last two answers that brought the trip and could be kept, the newest last.
    package private(set) var answers: [Answer] = []
    /// What the map draws, made once for each answer that comes while the trip is shown.
    package private(set) var map = MapPicture()
    /// Whether ``map`` shows the last answer.
    var isMapCurrent = true

    /// An answer of the service whose body is kept.
    package struct Answer: Sendable {
        /// Its number in the ledger of all bodies.
        let number: Int
        /// When it was here, by our clock.
        package var time: Date
        /// Its HTTP status.
        package var httpStatus: Int?
        /// What it said, for the inspector.
        package var body: KeptBody
    }

    /// What was found to be not as it should be, oldest first, at most ``mostFindings``.
    package private(set) var findings: [Finding] = []

    static let mostFindings = 500

    /// A trip of which nothing is known yet.
    package init(id: TripID) {
        self.id = id
        state = TripState(id: id)
    }

    /// Makes the map of the last answer.
    mutating func drawMap() {
        map = MapPicture(of: state)
        isMapCurrent = true
    }

    mutating func add(_ news: [Finding]) {
        findings += news
        if findings.count > Self.mostFindings { findings.removeFirst(findings.count - Self.mostFindings) }
    }

    /// Takes in a poll that is over; books the body that is kept of it, and those that make room.
    mutating func add(_ report: PollReport, _ ledger: inout BodyLedger) {
        lastReport = report
        lastReport?.body = nil
        history.add(report)
        guard let body = report.body else { return }
        let number = ledger.add(body.bytes.count, of: id)
        let answer = Answer(number: number, time: report.finished.wall, httpStatus: report.httpStatus, body: body)
        guard report.failure == nil else {
            if let failedAnswer { ledger.remove(failedAnswer.number) }
            failedAnswer = answer
            return
        }
        for old in answers.dropLast() { ledger.remove(old.number) }
        answers = answers.suffix(1) + [answer]
    }

    /// Gives up a body that the ledger has given up.
    mutating func giveUpBody(_ number: Int) {
        answers.removeAll { $0.number == number }
        if failedAnswer?.number == number { failedAnswer = nil }
    }

    /// Gives up all bodies, as the trip is shown no more.
    func giveUpBodies(_ ledger: inout BodyLedger) {
        for answer in answers + [failedAnswer].compactMap(\.self) { ledger.remove(answer.number) }
    }

    /// What the inspector shows, the newest last: good answers, or what came instead as long as there was none.
    var bodies: [KeptBody] {
        answers.isEmpty ? [failedAnswer?.body].compactMap(\.self) : answers.map(\.body)
    }

    /// Whether an answer has told of the trip.
    var isKnown: Bool { state.trip != nil }

    /// Whether a poll is under way.
    package var isPolling: Bool { asked != nil }

    /// How long the service has owed an answer, in real time as the limits of the network count it.
    ///
    /// `nil` where no poll is under way, below ``promptness``, and while the clock stands.
    package func wait(at now: Moment, speed: Double) -> Duration? {
        guard let asked, speed > 0 else { return nil }
        let wait = Duration.seconds((now.steady - asked.steady).seconds / speed)
        return wait > Self.promptness ? wait : nil
    }

    /// An answer that takes no longer is not worth a word.
    static let promptness = Duration.seconds(1.5)

    /// Whether its polls wait for a person.
    package var isPaused: Bool { schedule?.isPaused ?? false }
}
