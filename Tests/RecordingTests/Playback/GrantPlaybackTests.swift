import Failures
import FleetTokens
import Recording
import Runtime
import Testing
import TripFeed
import TripTestSupport

/// The calls of a fetch in a recording.
@Suite("Grants in recordings", .ends(within: .quickTest))
struct GrantPlaybackTests {
    private static let now = ManualClock().now()

    private static func event(_ kind: TokenEvent.Kind, grants: [Call] = []) -> TokenEvent {
        TokenEvent(
            context: .journey(RecordingScene.trip),
            at: now,
            kind: kind,
            status: TokenStatus(source: "credentials"),
            because: .ahead,
            grants: grants
        )
    }

    private static func grant(_ status: Int, _ failure: Failure?) -> Call {
        Call(
            .grantCredentials,
            to: .credentials,
            about: "",
            Call.Request(ofSource: "oauth2.googleapis.com", .command),
            Call.Answer(status: status, body: Array("{}".utf8)),
            started: now,
            ended: now,
            duration: .milliseconds(3),
            failure: failure
        )
    }

    @Test func `the calls of a fetch are those of the session`() throws {
        let grants = [Self.grant(503, Failure(.googleFailed).with(.status, 503)), Self.grant(200, nil)]
        let ended = Self.event(.stored(generation: 1), grants: grants)
        #expect(ended.calls.map(\.operation) == [.grantCredentials, .grantCredentials, .fetchToken])
        #expect(ended.calls.last?.cause == .ahead)
        var player = RecordingPlayer(provider: RecordingScene.provider)
        var played: [TokenEvent] = []
        for event in [Self.event(.fetching(.ahead)), ended] {
            let recorded = RecordedEvent(.token(RecordedToken(event)), at: event.at)
            let read = try RecordingLine.event(RecordingLine.bytes(recorded).dropLast())
            guard case .token(let event, _)? = player.item(of: read) else { continue }
            played.append(event)
        }
        #expect(played.map(\.calls) == [[], ended.calls])
    }

    @Test func `a fetch without grants adds nothing to its line`() throws {
        #expect(RecordedToken(Self.event(.stored(generation: 1))).grants == nil)
    }
}
