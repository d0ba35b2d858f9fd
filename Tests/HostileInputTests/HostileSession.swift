import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// A screen that shows trips of a service and a token endpoint that give answers which no service should give.
///
/// Everything except the network is the real client: the token provider with its HTTP source, the feed, the state, the
/// findings, the screen and its views.
final class HostileSession {
    /// The measurements.
    struct Measures {
        var cases = 0
        var frames = 0
        var longestPoll = Duration.zero
        var longestFrame = Duration.zero
        var largestFrame = 0
        /// Descriptions of the exceeded limits.
        var complaints: [String] = []

        mutating func add(_ other: Measures) {
            cases += other.cases
            frames += other.frames
            longestPoll = max(longestPoll, other.longestPoll)
            longestFrame = max(longestFrame, other.longestFrame)
            largestFrame = max(largestFrame, other.largestFrame)
            complaints += other.complaints
        }
    }

    /// The number of polls in a session.
    static let polls = 20

    private let seed: UInt64
    private let clock = HurriedClock()
    private let service: Service
    private var screen: State
    private var random: SeededGenerator
    private(set) var measures = Measures()
    private var table = JourneyTable()
    private var plain = PlainLines(host: "127.0.0.1", zone: .utc, namesTrips: true)
    private var old: Canvas?

    /// The service and the token endpoint.
    private final class Service: Sendable {
        struct Record {
            var answers: HostileAnswers
            var polls = 0
            var outcomes = 0
            /// When the last answer was given.
            var answered: BusyTime?
        }

        let record: Locked<Record>
        let clock: HurriedClock

        init(seed: UInt64, trip: TripID, clock: HurriedClock) {
            record = Locked(Record(answers: HostileAnswers(seed: seed, trip: trip)))
            self.clock = clock
        }

        /// The number of polls that were answered.
        var polls: Int { record.withLock { $0.polls } }

        /// The time since the last answer.
        ///
        /// Waiting for the token does not count.
        var sinceAnswer: Duration { record.withLock { $0.answered?.elapsed ?? .zero } }

        /// Whether the polls are over.
        ///
        /// Also counts polls that got no token.
        func isDone(after most: Int) -> Bool {
            record.withLock { record in
                record.outcomes += 1
                return record.polls >= HostileSession.polls || record.outcomes > most
            }
        }

        func answer(_ request: HTTPTransportRequest) throws(Failure) -> HTTPTransportResponse {
            let now = clock.now().wall
            let result: Result<HTTPTransportResponse, Failure> = record.withLock { record in
                let trip = record.answers.trip
                if request.url.contains("/token/") {
                    let token = FakeToken(.trip(trip), issuedAt: now, serial: record.answers.roll(1 << 30)).text
                    return .success(record.answers.tokenAnswer(honest: token))
                }
                record.polls += 1
                if record.answers.roll(30) == 0 {
                    return .failure(
                        record.answers.pick([
                            .refused, .timedOut, .connectionLost, .cutOff, .tooLarge(limit: 1),
                            .malformed(reason: "\u{1B}c"),
                            .tls(reason: "x"), .unknownHost, .other(reason: String(repeating: "漢", count: 5000)),
                        ])
                    )
                }
                let bearer = request.headers.first { $0.name == "authorization" }?.value.split(separator: " ").last
                return .success(record.answers.answer(secret: bearer.map(String.init) ?? "", at: now))
            }
            record.withLock { $0.answered = BusyTime() }
            return try result.get()
        }
    }

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed &+ 1)
        let trip = try TripID("trip-\(seed % 97)")
        service = Service(seed: seed, trip: trip, clock: clock)
        screen = State(
            trips: [.trip(trip)],
            settings: State.Settings(host: "127.0.0.1", localizer: .english, glyphs: GlyphSet()),
            now: clock.now(),
            width: 80,
            height: 24
        )
    }

    /// Polls until enough answers were given, and shows the results.
    func run() async throws {
        guard let trip = screen.trip?.id else { return }
        let service = service
        let transport = HTTPTransport { request async throws(Failure) in try service.answer(request) }
        let template = try TokenURLTemplate("https://tokens.example/token/consumer/{tripId}")
        let tokens = TokenProvider(
            source: HTTPTokenSource(template: template, transport: transport),
            clock: clock.patient,
            seed: seed
        )
        let client = FleetClient(
            endpoint: try ServiceEndpoint("https://engine.example"),
            tokens: tokens,
            transport: transport,
            clock: clock
        )
        let tokenEvents = tokens.events()
        let follower = Follower(
            journey: trip,
            provider: try ProviderID("p"),
            client: client,
            seed: seed,
            service: service,
            clock: clock
        )
        for await received in follower.events() { handle(received.event, after: received.after) }
        await tokens.close()
        for await event in tokenEvents { _ = screen.update(.token(event)) }
        for view in ViewKind.allCases {
            show(view)
            draw(80, 24)
            draw(31, 9)
        }
    }

    /// An event of the feed, and the time that had passed since the service's answer.
    private struct ReceivedEvent: Sendable {
        var event: FeedEvent
        var after: Duration
    }

    /// Polls the trip until enough answers were given.
    private struct Follower: Sendable {
        let journey: JourneyID
        let provider: ProviderID
        let client: FleetClient
        let seed: UInt64
        let service: Service
        let clock: HurriedClock

        /// The events of the feeds, until the last feed has ended.
        func events() -> AsyncStream<ReceivedEvent> {
            let (received, continuation) = AsyncStream.makeStream(of: ReceivedEvent.self)
            // Not awaited: the end of the stream, which its reader awaits, is the end of this task.
            Task { await poll(continuation) }
            return received
        }

        private func poll(_ continuation: AsyncStream<ReceivedEvent>.Continuation) async {
            // A feed that ends is followed by another one, as if a person had added the trip again.
            for round in 0..<UInt64(HostileSession.polls) where service.polls < HostileSession.polls {
                let service = service
                let running = Running()
                let feed = makeFeed(seed: seed &+ round) { event in
                    continuation.yield(ReceivedEvent(event: event, after: service.sinceAnswer))
                    // Without a token the service is never called.
                    if case .polled = event, service.isDone(after: 2 * HostileSession.polls) { running.cancel() }
                }
                await running.run(feed)
            }
            continuation.finish()
        }

        private func makeFeed(seed: UInt64, report: @escaping @Sendable (FeedEvent) -> Void) -> TripFeed {
            TripFeed(
                trips: [journey],
                options: TripFeed.Options(
                    provider: provider,
                    policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil),
                    seed: seed
                ),
                client: client,
                clock: clock,
                report: report
            )
        }
    }

    /// The task of a feed, which may be cancelled while the feed reports an event.
    private final class Running: Sendable {
        private let task = Locked<Task<Void, Never>?>(nil)

        func cancel() { task.withLock { $0?.cancel() } }

        func run(_ feed: TripFeed) async {
            let running = task.withLock { task in
                let running = Task { await feed.run() }
                task = running
                return running
            }
            await running.value
        }
    }

    private static let sizes = [(80, 24), (40, 12), (120, 30), (20, 5), (64, 18), (1, 1), (200, 8)]

    /// Shows an event, and sometimes another view.
    private func handle(_ event: FeedEvent, after duration: Duration) {
        let began = BusyTime()
        _ = screen.update(.tick(clock.now()))
        _ = screen.update(.feed(event))
        let changes = table.apply(event, at: clock.now())
        for line in plain.lines(for: changes, table) where line.utf8.count > 4096 {
            complain("a line of \(line.utf8.count) bytes")
        }
        measures.longestPoll = max(measures.longestPoll, duration + began.elapsed)
        guard case .polled = event else { return }
        measures.cases += 1
        if Int.random(in: 0..<4, using: &random) == 0, let view = ViewKind.allCases.randomElement(using: &random) {
            show(view)
        }
        let (width, height) = Self.sizes[measures.cases % Self.sizes.count]
        if measures.cases % 4 == 0 { draw(width, height) }
    }

    private func show(_ view: ViewKind) {
        _ = screen.update(.key(.escape))
        _ = screen.update(.key(.character(Character(String(view.number)))))
    }

    /// Draws a frame and looks for text that no terminal may get.
    private func draw(_ width: Int, _ height: Int) {
        _ = screen.update(.resized(width: width, height: height))
        let began = BusyTime()
        let canvas = view(screen)
        let runs = canvas.runs(since: old)
        measures.longestFrame = max(measures.longestFrame, began.elapsed)
        old = canvas
        measures.frames += 1
        guard canvas.width == width, canvas.height == height else { return complain("a frame of another size") }
        var bytes = 0
        for run in runs {
            // Eight bytes more for position and style.
            bytes += run.text.utf8.count + 8
            if run.x + TextWidth.of(run.text) > width { complain("a row that is too wide: \(run.text)") }
            for scalar in run.text.unicodeScalars where Self.isForbidden(scalar) {
                complain("U+\(String(scalar.value, radix: 16)) on the screen")
            }
        }
        measures.largestFrame = max(measures.largestFrame, bytes)
        if bytes > Self.mostBytes(width, height) { complain("a frame of \(bytes) bytes at \(width)x\(height)") }
        if canvas.text.contains(Self.signature) { complain("a signature on the screen") }
    }

    /// The maximum bytes of a frame: each cell has a character with its combining marks and its own colour.
    static func mostBytes(_ width: Int, _ height: Int) -> Int { width * height * 28 }

    /// A part of the signatures that ``FakeToken`` creates.
    private static let signature = "Li4uLi4uLi4uLi4u"

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private func complain(_ words: String) { measures.complaints.append("seed \(seed): \(words)") }
}
