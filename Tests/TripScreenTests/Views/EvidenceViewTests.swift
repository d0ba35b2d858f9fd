import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// What the views show about failures: the first cause, the rejected token, the endpoint's answer and the request.
@Suite("Evidence in the views", .ends(within: .quickTest))
struct EvidenceViewTests {
    private let journey: JourneyID
    private static let now = Moment(wall: Ride.start, steady: .seconds(1000))
    private static let refusal = Failure.service(
        ServiceAnswer(
            httpStatus: 403,
            status: "PERMISSION_DENIED",
            message: "Fleet Engine API has not been used in project 123456 before or it is disabled."
        ),
        retryAfter: nil
    )

    init() throws {
        journey = try Ride().id()
    }

    private func state(width: Int = 120, height: Int = 60, localizer: Localizer = .english) -> State {
        State(
            trips: [journey],
            settings: State.Settings(host: "engine.example", localizer: localizer, speed: 1),
            now: Self.now,
            width: width,
            height: height
        )
    }

    private func show(_ view: Character, _ messages: [Message]) -> String {
        var state = state()
        for message in messages { _ = state.update(message) }
        _ = state.update(.key(.character(view)))
        return TripScreen.view(state).text
    }

    private func polled(_ failure: Failure, body: String? = nil, at second: Double = 0) -> Message {
        var report = PollReport(journey: journey, started: Self.now.advanced(by: .seconds(second)))
        report.outcome = .failure(failure)
        let url = "https://engine.example/v1/providers/p/trips/\(journey.rawValue)?currentRouteSegmentVersion=it's"
        if failure.isSent {
            report.call = .sample(
                about: journey.name,
                Call.Request(own: "GET", url, options: nil),
                status: failure.httpStatus,
                body: body.map { Array($0.utf8) },
                at: report.started,
                failure: failure
            )
        }
        var schedule = PollSchedule(interval: .seconds(5), next: .seconds(1005))
        schedule.failures = 1
        return .feed(.polled(report, TripState(id: journey), schedule))
    }

    private func token(_ kind: TokenEvent.Kind, _ change: (inout TokenStatus) -> Void) -> Message {
        var status = TokenStatus(state: .failing, source: "http endpoint")
        status.fetches = 1
        change(&status)
        return .token(TokenEvent(context: .journey(journey), at: Self.now, kind: kind, status: status))
    }

    private func rejected(_ reason: RejectedToken.Reason, tripID: String) throws -> RejectedToken {
        var fake = FakeToken(.journey(journey), issuedAt: Self.now.wall)
        fake.authorization = ["tripid": tripID]
        return RejectedToken(fake.text, for: .journey(journey), reason, at: Self.now, clockOffset: nil)
    }

    @Test(arguments: [(-5.0, "next try with the next poll"), (30, "next try 17:00:30")])
    func `the next try of a token is never in the past`(delay: Double, words: String) {
        let failed = token(.failed(.unusable(.tokenBoundToAnother, retryAfter: .zero))) {
            $0.lastError = .unusable(.tokenBoundToAnother, retryAfter: .zero)
            $0.retryAt = Self.now.wall + delay
        }
        let text = show("3", [failed])
        #expect(text.contains(words), "\(text)")
    }

    @Test func `German does not say that no call ended when one failed`() {
        var state = state(localizer: Localizer(.german))
        let missing = TokenError.denied(status: 403, retryAfter: .zero).failure
        for message in [polled(missing), .key(.character("4"))] { _ = state.update(message) }
        let text = TripScreen.view(state).text
        #expect(text.contains("Noch keine Abfrage beantwortet"), "\(text)")
    }

    @Test func `the headline retains the service's message when only a consequence is left`() {
        let missing = TokenError.rejectedByService(status: 403, retryAfter: .seconds(10)).failure.with(
            History(refusal: Self.refusal)
        )
        let text = show("1", [polled(Self.refusal), polled(missing, at: 1)])
        let words = "403 PERMISSION_DENIED: Fleet Engine API has not been used in project 123456"
        #expect(text.split(separator: "\n")[2].contains(words), "\(text)")
        let network = show("4", [polled(Self.refusal), polled(missing, at: 1)])
        #expect(network.contains("then: Fleet Engine rejected"), "\(network)")
        #expect(!show("6", [polled(missing)]).contains("No findings so far"))
    }

    @Test func `the Inspector retains the answer of a refusal after a poll without an answer`() {
        let body = #"{"error":{"code":403,"message":"not enabled"}}"#
        let missing = TokenError.rejectedByService(status: 403, retryAfter: .seconds(10)).failure.with(
            History(refusal: Self.refusal)
        )
        let text = show("5", [polled(Self.refusal, body: body), polled(missing, at: 1)])
        #expect(text.contains("not enabled") && text.contains("HTTP 403"), "\(text)")
    }

    @Test func `the Token view shows the claims of a rejected token and the endpoint's answer`() throws {
        let error = TokenError.unusable(.tokenBoundToAnother, retryAfter: .seconds(1))
        let rejected = try rejected(.fault(.tokenBoundToAnother), tripID: "trip-other")
        let answer = TokenSourceAnswer(
            status: 200,
            headers: [("Server", "nginx"), ("Set-Cookie", "sid=1")],
            body: Array(#"{"jwt":"\#(FakeToken(.journey(journey), issuedAt: Ride.start).text)"}"#.utf8),
            tokenKey: "jwt"
        )
        let text = show(
            "3",
            [
                token(.failed(error)) { status in
                    (status.lastError, status.lastRejected, status.lastAnswer) = (error, rejected, answer)
                }
            ]
        )
        for part in ["Rejected token", "trip-other", "tester@example.com", "HTTP 200", "nginx", #"{"jwt":"<token>"}"#] {
            #expect(text.contains(part), "\(part) in\n\(text)")
        }
        #expect(!text.contains("No token has been inspected yet") && !text.contains("eyJ") && !text.contains("sid="))
    }

    @Test func `shows the message of an endpoint with its status`() {
        let error = TokenError.unavailable(.sourceStatus(500, retryAfter: nil), retryAfter: .seconds(1))
        let answer = TokenSourceAnswer(
            status: 500,
            headers: [],
            body: Array("IAM signBlob failed: permission denied".utf8),
            tokenKey: "jwt"
        )
        let failed = token(.failed(error)) { ($0.lastError, $0.lastAnswer) = (error, answer) }
        for view in ["3", "7"] as [Character] {
            let text = show(view, [failed])
            #expect(text.contains("IAM signBlob failed"), "\(text)")
        }
    }

    @Test func `the Network view shows the request as a command, and a key copies it`() {
        var state = state()
        _ = state.update(polled(Self.refusal))
        let id: Effect = .copy(journey.rawValue)
        #expect(state.update(.key(.character("c"))) == [id])
        _ = state.update(.key(.character("4")))
        #expect(view(state).text.contains("Authorization: Bearer $TOKEN"))
        let url = "https://engine.example/v1/providers/p/trips/\(journey.rawValue)?currentRouteSegmentVersion=it'\\''s"
        let command = "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Accept: application/json' '\(url)'"
        #expect(state.update(.key(.character("c"))) == [.copy(command)])
        #expect(view(state).text.contains("Copied: curl"))
    }

    @Test func `counts omitted polls and shows their number`() {
        let omission = EventOmission(successes: 3, failures: ["PERMISSION_DENIED": 4])
        let messages = [polled(Self.refusal), .feed(.omitted(journey, omission)), polled(Self.refusal, at: 9)]
        let text = show("4", messages)
        #expect(text.contains("9 polls") && text.contains("7 polls counted only"), "\(text)")
        #expect(show("7", messages).contains("PERMISSION_DENIED ×4"))
    }

    @Test(arguments: [true, false])
    func `the Findings view does not claim that there is nothing while there is no answer`(hasPolled: Bool) {
        let text = show("6", hasPolled ? [polled(.refused)] : [])
        #expect(!text.contains("No findings so far"))
        #expect(text.contains(hasPolled ? "can't be followed" : "No answer has come yet"), "\(text)")
    }
}
