import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// A replay judges a poll by what the session examined, not only by the lines before it.
@Suite("Outcome check", .ends(within: .quickTest))
struct OutcomeCheckTests {
    private let schedule = PollSchedule(interval: .seconds(60), next: nil)
    private static let refusal = RecordingScene.Answer(
        status: 403,
        body: #"{"error":{"code":403,"status":"PERMISSION_DENIED","message":"no"}}"#
    )

    private static func status(_ error: TokenError?) -> TokenStatus {
        var status = TokenStatus(state: .failing, source: "test")
        (status.lastError, status.fetches) = (error, 1)
        return status
    }

    private static let sound = status(nil)
    private static let unusable = status(.unusable(.tokenBearerPrefix, retryAfter: .seconds(10)))

    private func tokenEvent(_ status: TokenStatus, at now: Moment) -> RecordedEvent {
        let context = AuthorizationContext.journey(RecordingScene.trip)
        let event = TokenEvent(context: context, at: now, kind: .fetching(.ahead), status: status)
        return RecordedEvent(.token(RecordedToken(event)), at: now)
    }

    private func findings(_ rules: [FindingRule.ID], at now: Moment) -> RecordedEvent {
        let found = FindingRule.all.filter { rules.contains($0.id) }.map {
            Finding(time: now.wall, journey: RecordingScene.trip, rule: $0, severity: $0.severity, evidence: [])
        }
        return RecordedEvent(.findings(RecordedFindings(journey: RecordingScene.trip, found)), at: now)
    }

    /// Writes, reads and checks events.
    private func differences(_ events: [RecordedEvent]) throws -> [OutcomeCheck.Difference] {
        var reader = try RecordingReader(bytes: recordingText(events))
        var player = RecordingPlayer(provider: RecordingScene.provider)
        var check = OutcomeCheck(reader.header, provider: RecordingScene.provider)
        var differences: [OutcomeCheck.Difference] = []
        while let event = reader.next() { differences += check.handle(event, player.item(of: event)) }
        #expect(reader.skippedCount == 0)
        return differences
    }

    @Test(arguments: [(sound, unusable, true), (unusable, sound, false)])
    func `a poll is checked with the token that the session examined`(
        last: TokenStatus,
        examined: TokenStatus,
        isUnusable: Bool
    ) async throws {
        var report = try await RecordingScene().poll(Self.refusal)
        report.examined = .init(token: ExaminedToken(examined), interval: schedule.interval)
        let poll = RecordedPoll(report, schedule: schedule, after: ExaminedToken(last))
        let lines = [
            tokenEvent(last, at: report.finished),
            findings(isUnusable ? ["serviceRefuses", "tokenUnusable"] : ["serviceRefuses"], at: report.finished),
        ]
        #expect(try differences(lines + [RecordedEvent(.poll(poll), at: report.finished)]).isEmpty)
        // Recordings of earlier versions do not say it.
        var older = poll
        older.examined = nil
        let found = try differences(lines + [RecordedEvent(.poll(older), at: report.finished)])
        #expect(found.map(\.kind) == [.findings])
    }

    @Test func `a poll says nothing of a token that is as after its last event`() async throws {
        var report = try await RecordingScene().poll(Self.refusal)
        // The rules use neither the state nor the wait.
        var later = Self.unusable
        (later.state, later.fetches) = (.stale, 9)
        later.lastError = .unusable(.tokenBearerPrefix, retryAfter: .seconds(3))
        report.examined = .init(token: ExaminedToken(later), interval: schedule.interval)
        let poll = RecordedPoll(report, schedule: schedule, after: ExaminedToken(Self.unusable))
        #expect(poll.examined == nil)
    }

    @Test func `a poll with a server token is checked without the trip's token`() async throws {
        var report = try await RecordingScene().poll(Self.refusal)
        report.isByServer = true
        report.examined = .init(token: ExaminedToken(), interval: schedule.interval)
        let poll = RecordedPoll(report, schedule: schedule, after: ExaminedToken(Self.unusable))
        #expect(poll.examined == nil)
        let now = report.finished
        let events = [tokenEvent(Self.unusable, at: now), findings(["serviceRefuses"], at: now)]
        #expect(try differences(events + [RecordedEvent(.poll(poll), at: now)]).isEmpty)
    }

    /// A trip that only sweeps show has the interval of the sweeps in its schedule; the rules use that of polls.
    @Test func `a poll is checked with the interval that the session examined`() async throws {
        let first = try await RecordingScene().poll(Self.refusal)
        var events: [RecordedEvent] = []
        for number in 0..<4 {
            var report = first.repeated(after: .seconds(10 * number))
            report.isByServer = true
            report.examined = .init(token: ExaminedToken(), interval: .seconds(5))
            let poll = RecordedPoll(report, schedule: schedule)
            #expect(poll.examined?.interval == 5)
            if number == 0 { events.append(findings(["serviceRefuses"], at: report.finished)) }
            events.append(RecordedEvent(.poll(poll), at: report.finished))
        }
        #expect(try differences(events).isEmpty)
    }

    @Test func `a trip that is added again is checked from the beginning`() async throws {
        let report = try await RecordingScene().poll(Self.refusal)
        let now = report.finished
        let polls = [0, 60, 120].map {
            RecordedEvent(.poll(RecordedPoll(report.repeated(after: .seconds($0)), schedule: schedule)), at: now)
        }
        let left = RecordedEvent(.end(RecordedEnd(trip: "tr-1", .left)), at: now)
        let refused = findings(["serviceRefuses"], at: now)
        // The finding lasts: it is reported once while the trip is followed.
        var player = RecordingPlayer(provider: RecordingScene.provider)
        for body in ["NEW", "ENROUTE_TO_PICKUP", "NEW"] {
            let answer = try await RecordingScene().poll(.init(body: RecordingScene.body(body)))
            let event = RecordedEvent(.poll(RecordedPoll(answer, schedule: schedule)), at: now)
            guard case .feed(.polled(_, let state, _))? = player.item(of: event) else {
                Issue.record("no poll: \(event)")
                return
            }
            #expect(state.statuses.map(\.status.name) == [body])
            _ = player.item(of: left)
        }
        #expect(try differences([refused, polls[0], polls[1], left, refused, polls[2]]).isEmpty)
    }
}

extension PollReport {
    /// The same poll at a later time.
    fileprivate func repeated(after delay: Duration) -> PollReport {
        var report = self
        (report.started, report.finished) = (started.advanced(by: delay), finished.advanced(by: delay))
        return report
    }
}
