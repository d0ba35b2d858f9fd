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

/// All views say the same about a failed poll: what the status of the token showed when it failed.
@Suite("Views about one failed poll", .ends(within: .quickTest))
struct FailedPollTests {
    private static let now = Ride.moment(0)
    private static let error = TokenError.unavailable(.sourceStatus(500, retryAfter: nil), retryAfter: .seconds(1))

    private let journey: JourneyID
    private var state: State

    init() throws {
        journey = try Ride().id()
        state = State(
            trips: [journey],
            settings: State.Settings(host: "engine.example", localizer: .english, speed: 1),
            now: Self.now,
            width: 400,
            height: 80
        )
    }

    private mutating func update(_ kind: TokenEvent.Kind, _ change: (inout TokenStatus) -> Void = { _ in }) {
        var status = TokenStatus(source: "http endpoint")
        change(&status)
        let event = TokenEvent(context: .journey(journey), at: Self.now, kind: kind, status: status)
        _ = state.update(.token(event))
    }

    private mutating func fail(_ failure: Failure = Self.error.failure) {
        var report = PollReport(journey: journey, started: Self.now)
        report.outcome = .failure(failure)
        var schedule = PollSchedule(interval: .seconds(5), next: .seconds(1005))
        schedule.failures = 1
        _ = state.update(.feed(.polled(report, TripState(id: journey), schedule)))
    }

    /// Draws a view without white space and frames, so that wrapped lines are found.
    private mutating func text(_ view: ViewKind) -> String {
        _ = state.update(.key(.character(Character(String(view.number)))))
        let rows = TripScreen.view(state).rows
        // The panel of the errors has its own width, in which it wraps the lines.
        let shown = view == .network ? rows.map { String($0.dropFirst(400 - 54)) } : rows
        return shown.joined().filter { !$0.isWhitespace && $0 != "│" }
    }

    private mutating func refuse() {
        let answer = TokenSourceAnswer(
            status: 500,
            headers: [],
            body: Array("IAM signBlob failed: no permission".utf8),
            tokenKey: "jwt"
        )
        update(.failed(Self.error)) { ($0.lastError, $0.lastAnswer) = (Self.error, answer) }
        fail()
    }

    @Test(arguments: [ViewKind.trip, .network, .inspector, .findings], [false, true])
    mutating func `each view quotes the token endpoint, also when there is a token again`(
        _ view: ViewKind,
        hasToken: Bool
    ) {
        refuse()
        if hasToken { update(.stored(generation: 1)) { $0.state = .fresh } }
        let text = text(view)
        #expect(text.contains("IAMsignBlobfailed"), "\(text)")
    }

    @Test(arguments: [ViewKind.trip, .trips, .network, .inspector, .findings])
    mutating func `each view names the injected fault that the token source met`(_ view: ViewKind) {
        update(.failed(Self.error)) { status in
            status.lastError = Self.error
            status.lastExchange = Exchange(
                .http,
                Exchange.Request(method: "GET", url: "https://h.example/t", headerNames: [], bytes: 0),
                duration: .zero,
                ending: .complete,
                fault: InjectedFault(["token-down"], .client, .unsent)
            )
        }
        fail()
        let text = text(view)
        #expect(text.contains(view == .trips ? "✗inj" : "Injectedfaulttoken-down"), "\(text)")
    }

    // The list of the errors has both failures, and the trip view has the panel of the token.
    @Test(arguments: [ViewKind.inspector, .findings])
    mutating func `no view quotes the endpoint about another failure`(_ view: ViewKind) {
        refuse()
        fail(.refused)
        #expect(state.trips[0].lastFailure?.poll.token == nil)
        let text = text(view)
        #expect(!text.contains("signBlob"), "\(text)")
    }

    @Test mutating func `why a trip is given up is said with the status of the token, too`() {
        refuse()
        _ = state.update(.feed(.ended(journey, .failed(Self.error.failure))))
        let message = state.trips[0].endMessage(host: "engine.example", .english)
        #expect(message?.what.contains("IAM signBlob failed") == true, "\(message?.what ?? "")")
    }
}
