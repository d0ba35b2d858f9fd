import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Recording
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

@testable import tripshare

/// What a session records of its events.
@Suite("Session recorder", .ends(within: .longTest))
struct SessionRecorderTests {
    private func header(at now: Moment) -> RecordingHeader {
        RecordingHeader(
            program: "0.1.0",
            start: RecordedMoment(now),
            seed: 1,
            configuration: RecordingHeader.Configuration(
                provider: "acme",
                service: "https://engine.example",
                host: "engine.example",
                trips: ["tr-1"],
                interval: 5
            ),
            display: RecordingHeader.Display(width: 80, height: 24, language: "en", units: "metric", output: "json"),
            zone: RecordingHeader.Zone(offset: 0, name: "UTC", hasTwelveHours: false)
        )
    }

    /// Otherwise a replay would judge a poll that the session had no time to judge.
    @Test func `an event after the end of the session is neither recorded nor judged`() async throws {
        let clock = ScaledClock(speed: 1, begins: nil)
        let tokens = TokenProvider(
            source: ScriptedTokenSource { .token(FakeToken($0.context, issuedAt: clock.now().wall).issued) },
            clock: clock,
            seed: 1
        )
        let recorder = try SessionRecorder(header(at: clock.now()), path: nil, clock: clock, tokens: tokens)
        let trip = try TripID("tr-1")
        var passed: [String] = []
        func happen(_ name: String) {
            recorder.record(.feed(.ended(.trip(trip), .left))) { _ in passed.append("feed \(name)") }
            let event = TokenEvent(
                context: .trip(trip),
                at: clock.now(),
                kind: .fetching(.needed),
                status: TokenStatus(source: "test")
            )
            recorder.post(.token(event)) { _ in passed.append("token \(name)") }
        }
        happen("before")
        recorder.endEvents()
        happen("after")
        #expect(passed == ["feed before", "token before"])
        var reader = try RecordingReader(bytes: recorder.lastMinutes)
        var types: [RecordedEventType] = []
        while let event = reader.next() { types.append(event.content.type) }
        #expect(types == [.end, .token])
        await tokens.close()
    }

    /// The cache of tokens may change between an event of a token and the poll that the rules examine.
    @Test func `a poll says which token the rules examined if it is not as after the last event of the token`()
        async throws
    {
        let clock = ScaledClock(speed: 1, begins: nil)
        let tokens = TokenProvider(
            source: ScriptedTokenSource { .token(FakeToken($0.context, issuedAt: clock.now().wall).issued) },
            clock: clock,
            seed: 1
        )
        let recorder = try SessionRecorder(header(at: clock.now()), path: nil, clock: clock, tokens: tokens)
        let trip = try TripID("tr-1")
        func status(_ generation: Int) -> TokenStatus {
            var status = TokenStatus(source: "test")
            status.generation = generation
            return status
        }
        func post(_ kind: TokenEvent.Kind, _ status: TokenStatus) {
            recorder.post(.token(TokenEvent(context: .trip(trip), at: clock.now(), kind: kind, status: status))) { _ in
            }
        }
        func poll(_ status: TokenStatus) {
            let schedule = PollSchedule(interval: .seconds(5), next: nil)
            var report = PollReport(journey: .trip(trip), started: clock.now())
            report.examined = .init(token: ExaminedToken(status), interval: schedule.interval)
            recorder.record(.feed(.polled(report, TripState(id: .trip(trip)), schedule))) { _ in }
        }
        post(.stored(generation: 1), status(1))
        poll(status(1))
        poll(status(2))
        post(.stored(generation: 2), status(2))
        poll(status(1))
        poll(status(2))
        post(.evicted, TokenStatus(source: "test"))
        poll(TokenStatus(source: "test"))
        poll(status(2))
        var reader = try RecordingReader(bytes: recorder.lastMinutes)
        var examined: [Int?] = []
        while let event = reader.next() {
            guard case .poll(let poll) = event.content else { continue }
            examined.append(poll.examined?.token?.generation)
        }
        #expect(examined == [nil, 2, 1, nil, nil, 2])
        await tokens.close()
    }

    /// The screen reads an event after the same token was stored once more: an age is that at the event.
    @Test func `the inspection of a stored token is that of its event`() async throws {
        let clock = ScaledClock(speed: 1, begins: Date(timeIntervalSince1970: 1_773_470_100))
        clock.control.pause(true)
        let context = AuthorizationContext.trip(try TripID("tr-1"))
        let token = FakeToken(context, issuedAt: clock.now().wall - 10).issued
        let tokens = TokenProvider(source: ScriptedTokenSource { _ in .token(token) }, clock: clock, seed: 1)
        let recorder = try SessionRecorder(header(at: clock.now()), path: nil, clock: clock, tokens: tokens)
        let posted = Mutex<[TokenEvent]>([])
        tokens.observe { event in recorder.post(.token(event)) { _ in posted.withLock { $0.append(event) } } }
        func age(after event: TokenEvent) -> TokenSentence.Value? {
            recorder.verdict(after: event)?.findings.first { $0.rule == .issuedAt }?.sentence.values["duration"]
        }
        _ = try await tokens.token(for: context)
        recorder.screenRead(upTo: posted.withLock(\.count))
        let first = try #require(posted.withLock { $0.last })
        clock.control.step(.seconds(30))
        tokens.forget(context)
        _ = try await tokens.token(for: context)
        recorder.flush()
        let second = try #require(posted.withLock { $0.last })
        #expect(first.status.fingerprint == second.status.fingerprint && first.at != second.at)
        #expect(age(after: first) == .span(10) && age(after: second) == nil)
        recorder.screenRead(upTo: posted.withLock(\.count))
        #expect(age(after: second) == .span(40) && age(after: first) == nil)
        await tokens.close()
    }

    @Test func `inspections that the screen does not read are bounded for each trip`() throws {
        var table = TokenVerdictTable()
        let context = AuthorizationContext.trip(try TripID("tr-1"))
        let events = (1...100).map { number in
            TokenEvent(
                context: context,
                at: Moment(wall: Date(timeIntervalSince1970: 0), steady: .seconds(number)),
                kind: .stored(generation: number),
                status: TokenStatus(source: "test")
            )
        }
        for (index, event) in events.enumerated() {
            table.add(RecordedToken.Inspection(claims: nil, findings: []), of: event, number: index + 1)
        }
        // The mailbox of a screen keeps as many unread outcomes of a token.
        #expect(table.count == 32)
        table.read(upTo: 90)
        #expect(events.map { table[$0] != nil } == (1...100).map { (69...90).contains($0) })
        table.read(upTo: 100)
        #expect(events.map { table[$0] != nil } == (1...100).map { $0 > 90 })
        table.read(upTo: 100)
        #expect(table.count == 0)
    }
}
