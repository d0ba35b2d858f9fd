import Failures
import FleetTokens
import FleetWire
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Recording player", .ends(within: .quickTest))
struct RecordingPlayerTests {
    private static let route = #"""
        ,"route":[{"latitude":51,"longitude":3},{"latitude":51.1,"longitude":3.1}],
        "currentRouteSegmentVersion":"2026-01-01T00:00:00.123456789Z"
        """#

    private let schedule = PollSchedule(interval: .seconds(5), next: .seconds(9))

    /// Returns an event after it was written and read.
    private func copy(_ content: RecordedEvent.Content, at now: Moment) throws -> RecordedEvent {
        try RecordingLine.event(RecordingLine.bytes(RecordedEvent(content, at: now)).dropLast())
    }

    /// Polls, records and plays; checks that both sides agree.
    @discardableResult
    func check(_ answers: [RecordingScene.Answer], source: ScriptedTokenSource? = nil) async throws -> TripState {
        let scene = RecordingScene(source: source)
        var state = TripState(id: RecordingScene.trip)
        var chain = FailureChain()
        var player = RecordingPlayer(provider: RecordingScene.provider)
        for answer in answers {
            scene.clock.advance(by: .seconds(5))
            var report = try await scene.poll(answer, after: state)
            switch report.outcome {
            case .success(let trip):
                state.merge(trip, serverDate: report.serverDate, sent: report.started, at: report.finished)
                chain.answered(at: report.finished.wall, token: report.call?.token)
            case .failure(let failure): report.outcome = .failure(chain.linked(failure, at: report.finished.wall))
            }
            let event = try copy(.poll(RecordedPoll(report, schedule: schedule)), at: report.finished)
            guard case .feed(.polled(let played, let playedState, let playedSchedule))? = player.item(of: event) else {
                Issue.record("no poll: \(event)")
                break
            }
            #expect(played.outcome == report.outcome)
            #expect(playedState == state)
            #expect(playedSchedule == schedule)
            #expect(played.started == report.started)
            #expect(played.finished == report.finished)
            #expect(played.latency == report.latency)
            #expect(played.serverDate == report.serverDate)
            #expect(played.leftOut == report.leftOut)
            #expect(played.call == report.call)
        }
        return state
    }

    @Test func `answers have the same outcome as when they were received`() async throws {
        let state = try await check([
            .init(body: RecordingScene.body("NEW")), .init(body: RecordingScene.body(more: Self.route)),
            .init(body: RecordingScene.body(more: #","currentRouteSegmentVersion":"2026-01-01T00:00:00.123456789Z""#)),
            .init(status: 503, headers: [("Retry-After", "7")], body: "busy"),
            .init(headers: [("Content-Type", "text/html")], body: "<html><title>Sign in</title>"),
            .init(status: 302), .init(body: #"{"name":"providers/acme/trips/other","tripStatus":"NEW"}"#),
            .init(body: "{"), .init(error: .timedOut), .init(error: .tls(reason: "expired")),
            .init(
                status: 429,
                body: #"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"slow down"}}"#
            ),
            .init(body: RecordingScene.body("COMPLETE")),
        ])
        #expect(state.statuses.map(\.status) == [.trip(.new), .trip(.enrouteToPickup), .trip(.complete)])
    }

    @Test func `a trip of a search has no size and no body of its own, but the headers of its page`() throws {
        let now = RecordingScene().clock.now()
        var report = PollReport(journey: RecordingScene.trip, started: now)
        report.isByServer = true
        report.finished = now
        let date = "Thu, 01 Jan 2026 00:00:11 GMT"
        let headers = [(name: "date", value: date), (name: "age", value: "1")]
        report.serverDate = HTTPDate.timeOfSending(date: date, age: "1")
        report.cacheAge = .seconds(1)
        report.cache = CacheEvidence(headers)
        let trip = try TripCoding.decode(Array(RecordingScene.body().utf8))
        for status in [nil, StatusCode.ok] {
            report.call = .sample(
                .searchTrips,
                about: RecordingScene.trip.name,
                grpcStatus: status?.rawValue,
                headers: headers,
                at: now
            )
            report.outcome = .success(.trip(trip))
            let event = try copy(.poll(RecordedPoll(report, schedule: schedule)), at: now)
            var player = RecordingPlayer(provider: RecordingScene.provider)
            guard case .feed(.polled(let played, _, _))? = player.item(of: event) else {
                Issue.record("no poll: \(event)")
                return
            }
            #expect(played.outcome == report.outcome)
            #expect(played.answer?.bytes == nil)
            #expect(played.answer?.body == nil)
            #expect(played.call == report.call)
            #expect(played.serverDate == report.serverDate)
            #expect(played.cacheAge == report.cacheAge)
            #expect(played.cache == report.cache)
        }
    }

    @Test func `a refused token retains the broken rule and causes the next missing token`() async throws {
        let answer = RecordingScene.Answer(status: 401, body: #"{"error":{"code":401,"status":"UNAUTHENTICATED"}}"#)
        let expired = ScriptedTokenSource { fetch in
            fetch.number > 1
                ? .failure(.sourceTimedOut)
                : .token(
                    FakeToken(
                        fetch.context,
                        issuedAt: Date(timeIntervalSince1970: 1_767_225_600),
                        lifetime: .seconds(3300)
                    ).issued
                )
        }
        _ = try await check([answer, answer], source: expired)
    }

    @Test func `large answers retain their excerpt`() async throws {
        let names = (0..<9000).map { "\"n\($0)\"" }.joined(separator: ",")
        _ = try await check([.init(body: RecordingScene.body(more: #","x":[\#(names)]"#))])
    }

    @Test func `token events are those of the session`() async throws {
        let scene = RecordingScene()
        _ = try await scene.poll(.init(body: RecordingScene.body()))
        let context = AuthorizationContext.journey(RecordingScene.trip)
        let status = scene.tokens.status(of: context)
        #expect(status.fingerprint != nil)
        let token = try #require(scene.tokens.peek(at: context))
        let inspection = TokenInspection.inspect(
            token.authorizationHeaderValue,
            TokenInspection.Expectations(context: context, providerID: "acme"),
            now: scene.clock.now().wall
        )
        let kinds: [TokenEvent.Kind] = [
            .fetching(.ahead), .stored(generation: 1), .repeated(endsAt: Date(timeIntervalSince1970: 5)),
            .failed(.unavailable(.sourceTimedOut, retryAfter: .seconds(3))), .rejected(status: 401),
            .rejected(status: .grpc(16)),
            .discardedLate,
            .clockDisagreement(.seconds(-7)), .evicted, .closed,
        ]
        var player = RecordingPlayer(provider: RecordingScene.provider)
        for kind in kinds {
            let event = TokenEvent(context: context, at: scene.clock.now(), kind: kind, status: status)
            let recorded = RecordedToken(
                event,
                inspection: .init(claims: inspection.claims, findings: inspection.findings)
            )
            guard case .token(let played, let read)? = player.item(of: try copy(.token(recorded), at: event.at)) else {
                Issue.record("no token event: \(kind)")
                continue
            }
            #expect(played.kind == event.kind)
            // Recorded times have a resolution of 1 µs.
            #expect(RecordedToken(played, inspection: recorded.inspection) == recorded)
            #expect(read?.claims == inspection.claims)
            #expect(read?.findings == inspection.findings)
        }
    }

    @Test func `findings, schedules and ends are those of the session`() throws {
        let now = ManualClock().now()
        var player = RecordingPlayer(provider: RecordingScene.provider)
        let findings = FindingRule.all.map {
            Finding(time: now.wall, journey: RecordingScene.trip, rule: $0, severity: $0.severity, evidence: [])
        }
        let found = player.item(
            of: try copy(.findings(RecordedFindings(journey: RecordingScene.trip, findings)), at: now)
        )
        guard case .feed(.found(RecordingScene.trip, let played))? = found else {
            Issue.record("no findings")
            return
        }
        #expect(played == findings)
        let ends: [FeedEnd] = [.reached(.trip(.complete)), .left]
        for end in ends {
            let item = player.item(of: try copy(.end(RecordedEnd(trip: "tr-1", end)), at: now))
            guard case .feed(.ended(RecordingScene.trip, end))? = item else {
                Issue.record("no end: \(end)")
                continue
            }
        }
    }

    @Test func `events with invalid names are left out`() throws {
        var player = RecordingPlayer(provider: RecordingScene.provider)
        let line = #"{"type":"end","at":1,"time":"2026-01-01T00:00:00Z","trip":"a/b","kind":"left"}"#
        #expect(player.item(of: try RecordingLine.event(line.utf8)) == nil)
    }
}
