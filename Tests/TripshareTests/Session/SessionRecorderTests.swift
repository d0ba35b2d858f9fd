import FleetTokens
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// What a session records of its events.
@Suite("Session recorder", .ends(within: .minutes(5)))
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
            recorder.record(.ended(trip, .left)) { _ in passed.append("feed \(name)") }
            let event = TokenEvent(
                context: .trip(trip),
                at: clock.now(),
                kind: .fetching(.needed),
                status: TokenStatus(source: "test")
            )
            recorder.post(event) { _ in passed.append("token \(name)") }
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
}
