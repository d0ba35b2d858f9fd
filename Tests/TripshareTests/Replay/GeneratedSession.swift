import ArgumentParser
import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Synchronization
import Terminal
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// A recorded session on a screen, with random keys, answers and tokens from a seed.
///
/// While the screen reads events, more of them happen. The tokens live for less than two minutes; some are issued again, some
/// are useless, and the service refuses some.
struct GeneratedSession: ~Copyable {
    /// The random choices of the service and of the token endpoint, which several tasks make.
    private final class Dice: Sendable {
        private let generator: Mutex<SeededGenerator>
        private let last = Mutex<[AuthorizationContext: IssuedToken]>([:])

        init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

        func number(below limit: Int) -> Int { generator.withLock { Int.random(in: 0..<limit, using: &$0) } }

        func answer(_ trip: Substring) -> HTTPTransportResponse {
            switch number(below: 12) {
            case 0: return HTTPTransportResponse(status: 401, body: [])
            case 1: return HTTPTransportResponse(status: 503, body: [])
            default:
                let status = ["NEW", "ENROUTE_TO_PICKUP"][number(below: 2)]
                let text = #"{"name":"providers/p/trips/\#(trip)","tripStatus":"\#(status)","vehicleId":"van-1"}"#
                return HTTPTransportResponse(status: 200, body: Array(text.utf8))
            }
        }

        func token(_ context: AuthorizationContext, at now: Date) -> ScriptedTokenSource.Answer {
            if number(below: 8) == 0 { return .failure(.sourceStatus(503, retryAfter: nil)) }
            if number(below: 3) == 0, let token = last.withLock({ $0[context] }) { return .token(token) }
            let whole = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
            let issued = whole - Double(number(below: 20))
            let lifetime = Duration.seconds(20 + number(below: 90))
            var token = FakeToken(context, issuedAt: issued, lifetime: lifetime, serial: number(below: 9))
            if number(below: 10) == 0 { token.audience = "https://other.example/" }
            last.withLock { $0[context] = token.issued }
            return .token(token.issued)
        }
    }

    private let configuration: SessionConfiguration
    private let recorder: SessionRecorder
    private var table = JourneyTable()
    private let mailbox = FeedMailbox {}
    private let feed: TripFeed
    private var screen: ScreenOutput
    private var random: SeededGenerator
    private let file: String

    /// Starts a session; its files are in a folder.
    init(seed: UInt64, in folder: URL) async throws {
        file = folder.appending(path: "session.ndjson").path
        let script = folder.appending(path: "script")
        try Data("pause 1\n".utf8).write(to: script)
        let options = try SessionOptions.parse([])
        let output = OutputConfiguration(options, try DisplayOptions.parse(["--script", script.path]), Settings())
        let clock = ScaledClock(speed: 100, begins: Date(timeIntervalSince1970: 1_773_470_100))
        let dice = Dice(seed: seed)
        var configuration = SessionConfiguration(
            options,
            Settings(),
            output: output,
            trips: try ["tr-1", "tr-2"].map { try .trip(TripID($0)) },
            provider: try ProviderID("p"),
            endpoint: try ServiceEndpoint("http://127.0.0.1:1"),
            tokens: (ScriptedTokenSource { dice.token($0.context, at: clock.now().wall) }, .standard),
            transport: HTTPTransport { request async throws(Failure) in
                dice.answer(request.url.split(separator: "?")[0].split(separator: "/").last ?? "")
            },
            clock: clock,
            seed: seed
        )
        let opening = try await ScreenOpening(output)
        configuration.recordingPath = file
        configuration.recorder = try configuration.makeRecorder(on: opening)
        guard let recorder = configuration.recorder else { throw RecordingProblem.missing }
        let mailbox = mailbox
        configuration.tokens.observe { event in recorder.post(.token(event)) { mailbox.post($0) } }
        feed = configuration.feed(report: { mailbox.post($0) }, searched: { _ in })
        screen = ScreenOutput(opening, configuration)
        random = SeededGenerator(seed: seed)
        (self.configuration, self.recorder) = (configuration, recorder)
    }

    private enum RecordingProblem: Error { case missing }

    /// Runs the session for so many reads of the screen, and verifies its recording.
    mutating func verify(reads: Int) async throws -> SessionVerification {
        let polls = Task { [feed] in await feed.run() }
        for _ in 0..<reads { await read() }
        recorder.endEvents()
        polls.cancel()
        await polls.value
        recorder.flush()
        _ = await screen.close()
        await configuration.tokens.close()
        let reader = try RecordingReader(bytes: Array(Data(contentsOf: URL(filePath: file))))
        return SessionVerification(reader, provider: configuration.provider)
    }

    /// Reads the events on the screen as the loop of a session does, after a key.
    private mutating func read() async {
        await happen()
        screen.advance(to: configuration.clock.now())
        press()
        let (items, posted, _) = mailbox.dequeueBatch {}
        recorder.screenRead(upTo: posted)
        let now = configuration.clock.now()
        for item in items {
            if Int.random(in: 0..<4, using: &random) == 0 { await happen() }
            let item = SessionItem(read: item, at: now)
            let changes = table.apply(item)
            screen.receive(item, changes, table)
        }
        _ = await screen.flush(to: feed)
    }

    /// Lets a token be stored, sometimes the same once more.
    private mutating func happen() async {
        guard let trip = configuration.trips.randomElement(using: &random) else { return }
        let context = AuthorizationContext.journey(trip)
        if Bool.random(using: &random) { configuration.tokens.forget(context) }
        // A failure is an event as well.
        _ = try? await configuration.tokens.token(for: context)
    }

    private mutating func press() {
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<6: screen.update(.key(Key(.character("3"))))
        case 6: screen.update(.key(Key(.down)))
        case 7: screen.update(.key(Key(.up)))
        case 8: screen.update(.key(Key(.character("]"))))
        case 9:
            guard let view = "12457".randomElement(using: &random) else { break }
            screen.update(.key(Key(.character(view))))
        case 10:
            let width = Int.random(in: 60...140, using: &random)
            screen.update(.resized(width: width, height: Int.random(in: 20...50, using: &random)))
        default: break
        }
    }
}
