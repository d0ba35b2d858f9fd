package import Failures
package import FleetTokens
package import Foundation
package import Runtime
package import TripFeed
package import TripModel
import TripText

/// A trip on the screen: its state, its polls and its token.
package struct FollowedTrip: Sendable {
    /// The trip.
    package let id: JourneyID
    /// The state of the trip.
    package internal(set) var state: TripState
    /// What the answers have shown, with the events; `nil` before the first event.
    private(set) var shown: ClaimWords.Facts?
    /// The poll that returned the last answer; `nil` before the first, and in the session of a log.
    private(set) var answering: Statement.Source?
    /// The last completed poll, without its body.
    package internal(set) var lastReport: PollReport?
    /// The completed polls and their latencies.
    package internal(set) var history = PollStatistics()
    /// The latest calls about it alone: polls, fetches of tokens and a demo driver's reports.
    package private(set) var calls = CallLog()
    /// The poll schedule; `nil` before the first event.
    package internal(set) var schedule: PollSchedule?
    /// When the current poll started; `nil` if none is in flight.
    package internal(set) var asked: Moment?
    /// What driver, server and rider know about it; `nil` except in the session of a log.
    package internal(set) var sides: TripSides?
    /// What happened on the trip so far.
    package internal(set) var receipt: TripReceipt
    /// The events that support the values of its receipt.
    private(set) var receiptEvents = ReceiptEvents()
    /// Why the trip is no longer followed.
    package internal(set) var end: FeedEnd?
    /// The token status; `nil` before the first event.
    package internal(set) var token: TokenStatus?
    /// The token fetches.
    package internal(set) var tokenHistory = TokenHistory()
    /// What its tokens and that of its driver were used for.
    private(set) var keys = KeyFacts()
    /// What happens on the ride besides its statuses.
    private(set) var story = RideStory()
    /// The token's claims and the results of the rules; `nil` before the first inspection.
    package internal(set) var verdict: TokenVerdict?
    /// When the token was inspected; ages in the verdict refer to this time.
    package internal(set) var inspected: Date?
    /// The last unsuccessful answer; `nil` if there was none.
    package private(set) var failedAnswer: Answer?
    /// The last failure, with the first and the number of those in a row; `nil` if no poll failed.
    package private(set) var lastFailure: Failed?
    /// The last two successful answers with stored bodies, the newest last.
    package private(set) var answers: [Answer] = []
    /// The last two reports of the vehicle's position.
    private var reports = PositionReports()
    /// The map data, computed once per answer while the trip is shown.
    package private(set) var map = MapPicture()
    /// Whether ``map`` corresponds to the last answer.
    var isMapCurrent = true

    /// A failure of polls.
    package struct Failed: Sendable {
        /// The latest failed poll of those in a row.
        package var poll: FailedPoll
        /// When a poll succeeded again; `nil` while polls fail.
        package var end: Date?
    }

    /// An answer of the service with a stored body.
    package struct Answer: Sendable {
        /// The number in the ledger of all bodies.
        let number: Int
        /// When it arrived, by the local clock.
        package var time: Date
        /// The status.
        package var status: AnswerStatus?
        /// The body for the inspector.
        package var body: StoredBody
    }

    /// The findings, oldest first, at most ``maximumFindings``.
    package private(set) var findings: SharedArray<Finding> = []
    /// The events of ``findings``, in the same order.
    private(set) var findingEvents: SharedArray<FindingEvents> = []
    /// The number of the last findings whose poll is not known yet.
    private var unplacedFindings = 0
    /// The last complete poll, by the service's time; `nil` before the first.
    private(set) var lastPoll: FindingEvents.Poll?

    static let maximumFindings = 500

    /// Creates a trip without data.
    package init(id: JourneyID) {
        self.id = id
        receipt = TripReceipt(id)
        state = TripState(id: id)
    }

    /// Computes the map for the last answer.
    mutating func drawMap() {
        map = MapPicture(of: state, reports)
        isMapCurrent = true
    }

    /// Takes the state after an answer that arrived at a moment.
    mutating func handle(_ state: TripState, at moment: Moment) {
        self.state = state
        isMapCurrent = false
        reports.add(state.journey?.lastLocation, at: state.serviceTime(moment))
    }

    /// Records an event of its token, and retains a limited number of calls.
    mutating func handle(_ event: TokenEvent, _ numbers: inout CallNumbers, calls limit: CallLog.Limit) {
        token = event.status
        calls.add(event, &numbers, limit: limit)
        tokenHistory.add(event, numbers.event)
    }

    /// Records what an event has changed; `facts` are those after it.
    mutating func handle(_ changes: [JourneyChange], _ facts: JourneyFacts?) {
        story.handle(changes)
        guard let facts else { return }
        let known = shown?.answer
        shown = ClaimWords.Facts(facts)
        keys = facts.token.keys
        guard end == nil else { return }
        receipt.handle(changes, facts)
        if let answer = shown?.answer, answer != known { receiptEvents.handle(receipt, answer) }
    }

    /// Records findings of an event; their poll is complete before it in a log, and after it in another session.
    mutating func add(_ new: [Finding], _ stamp: EventStamp) {
        findings += new
        findingEvents += new.map { FindingEvents(detection: stamp, poll: lastPoll?.stamp(at: $0.time)) }
        unplacedFindings += new.count
        guard findings.count > Self.maximumFindings else { return }
        let excess = findings.count - Self.maximumFindings
        findings.removeFirst(excess)
        findingEvents.removeFirst(excess)
    }

    /// Records the event of a complete poll.
    mutating func addPoll(_ report: PollReport, _ stamp: EventStamp) {
        tokenHistory.addPoll(report, stamp)
        let poll = FindingEvents.Poll(stamp: stamp, time: state.serviceTime(stamp.received))
        for index in findings.indices.suffix(unplacedFindings) where findingEvents[index].poll == nil {
            findingEvents[index].poll = poll.stamp(at: findings[index].time)
        }
        (lastPoll, unplacedFindings) = (poll, 0)
    }

    /// Records a completed poll and its body; drops old bodies if necessary, and retains a limited number of calls.
    ///
    /// `page` is the number of the page of a search that has returned it.
    mutating func add(
        _ report: PollReport,
        _ page: Int?,
        _ ledger: inout BodyLedger,
        _ numbers: inout CallNumbers,
        calls limit: CallLog.Limit
    ) {
        lastReport = report
        if lastReport?.answer?.body != nil { lastReport?.call?.answer?.body = nil }
        let failed = report.failure.map { FailedPoll($0, token) }
        history.add(report, failed)
        tokenHistory.count(report)
        calls.add(report, &numbers, limit: limit)
        if let failed {
            lastFailure = Failed(poll: failed, end: nil)
        } else {
            answering = Statement.Source(report, page: page)
            if lastFailure?.end == nil { lastFailure?.end = report.finished.wall }
        }
        guard let body = report.answer?.body else { return }
        let number = ledger.add(body.bytes.count, of: id)
        let answer = Answer(number: number, time: report.finished.wall, status: report.status, body: body)
        guard report.failure == nil else {
            if let failedAnswer { ledger.remove(failedAnswer.number) }
            failedAnswer = answer
            return
        }
        for old in answers.dropLast() { ledger.remove(old.number) }
        answers = answers.suffix(1) + [answer]
    }

    /// Records a call of the trip's driver, and retains a limited number of calls.
    mutating func add(_ call: Call, _ numbers: inout CallNumbers, calls limit: CallLog.Limit) {
        calls.add(call, &numbers, limit: limit)
    }

    /// Drops a body that the ledger has removed.
    mutating func giveUpBody(_ number: Int) {
        answers.removeAll { $0.number == number }
        if failedAnswer?.number == number { failedAnswer = nil }
    }

    /// Drops all bodies, because the trip is removed from the screen.
    func giveUpBodies(_ ledger: inout BodyLedger) {
        for answer in answers + [failedAnswer].compactMap(\.self) { ledger.remove(answer.number) }
    }

    /// The bodies for the inspector, the newest last: successful answers, or others before the first success.
    var bodies: [StoredBody] {
        answers.isEmpty ? [failedAnswer?.body].compactMap(\.self) : answers.map(\.body)
    }

    /// Returns what may be said about its arrivals.
    package func claims(at now: Moment) -> Claims {
        Claims(of: state, answer: shown?.answer?.number, interval: schedule?.interval ?? .zero, at: now)
    }

    /// Whether an answer has contained the trip.
    var isKnown: Bool { state.journey != nil }

    /// Whether a poll is in flight.
    package var isPolling: Bool { asked != nil }

    /// Returns how long the current poll has been waiting, in real time, the unit of the network timeouts.
    ///
    /// `nil` if no poll is in flight, below ``promptness``, and while the clock is paused.
    package func wait(at now: Moment, speed: Double) -> Duration? {
        guard let asked, speed > 0 else { return nil }
        let wait = Duration.seconds((now.steady - asked.steady).seconds / speed)
        return wait > Self.promptness ? wait : nil
    }

    /// Shorter waits are not shown.
    static let promptness = Duration.seconds(1.5)

    /// Whether its polls are paused.
    package var isPaused: Bool { schedule?.isPaused ?? false }
}

extension PositionAge {
    /// Computes the age of a trip's position; `nil` if there is no position or the trip has ended.
    package init?(of trip: FollowedTrip, at now: Moment) {
        self.init(state: trip.state, schedule: trip.schedule, at: now)
    }
}
