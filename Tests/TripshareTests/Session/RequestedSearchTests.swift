import ArgumentParser
import AsyncAlgorithms
import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// The search that the command line of the screen makes to offer the trips of the project.
@Suite("A search that the user asked for", .ends(within: .longTest))
struct RequestedSearchTests {
    private static let page = #"{"trips":[{"name":"providers/p/trips/tr-found","tripStatus":"NEW"}]}"#
    private static let busy = #"{"error":{"code":503,"message":"Try again.","status":"UNAVAILABLE"}}"#

    /// The configuration of a session that follows one trip by its ID and may search the trips of the project.
    private static func configuration(
        _ folder: URL,
        _ script: String,
        answering search: HTTPTransportResponse
    ) throws -> SessionConfiguration {
        let file = folder.appending(path: "script").path
        try Data(script.utf8).write(to: URL(filePath: file))
        let options = try SessionOptions.parse([])
        // Ten seconds, after which another command line searches again, are minutes.
        let clock = ScaledClock(speed: 0.1, begins: Date(timeIntervalSince1970: 1_773_470_100))
        let source = ScriptedTokenSource { .token(FakeToken($0.context, issuedAt: clock.now().wall).issued) }
        var configuration = SessionConfiguration(
            options,
            Settings(),
            output: OutputConfiguration(options, try DisplayOptions.parse(["--script", file]), Settings()),
            trips: [try .trip(TripID("tr-1"))],
            provider: try ProviderID("p"),
            endpoint: try ServiceEndpoint("http://127.0.0.1:1"),
            tokens: (source, .standard),
            transport: HTTPTransport { request async throws(Failure) in
                guard !request.url.hasSuffix("trips:search") else { return search }
                let body = #"{"name":"providers/p/trips/tr-1","tripStatus":"ENROUTE_TO_PICKUP"}"#
                return HTTPTransportResponse(status: 200, body: Array(body.utf8))
            },
            clock: clock,
            seed: 1
        )
        configuration.serverTokens = TokenProvider(source: source, clock: clock, seed: 1)
        configuration.recordingPath = folder.appending(path: "session.ndjson").path
        return configuration
    }

    private static func response(_ status: Int, _ body: String) -> HTTPTransportResponse {
        HTTPTransportResponse(status: status, body: Array(body.utf8))
    }

    private static func close(_ configuration: SessionConfiguration) async {
        await configuration.tokens.close()
        await configuration.serverTokens?.close()
    }

    /// The searches of a recording, which this program shows as it was.
    private static func searches(in configuration: SessionConfiguration) throws -> [SearchEvent] {
        let bytes = Array(try Data(contentsOf: URL(filePath: configuration.recordingPath ?? "")))
        let verification = SessionVerification(try RecordingReader(bytes: bytes), provider: configuration.provider)
        #expect(verification.isEqual && verification.screens > 0, "\(String(describing: verification.first))")
        var reader = try RecordingReader(bytes: bytes)
        var player = RecordingPlayer(provider: configuration.provider)
        var searches: [SearchEvent] = []
        while let event = reader.next() {
            if case .search(let search)? = player.item(of: event) { searches.append(search) }
        }
        return searches
    }

    @Test(arguments: [false, true])
    func `is one call of the Network view and of a recording that verifies, also if it fails`(
        _ fails: Bool
    ) async throws {
        try await Program.withFolder { folder in
            let dump = folder.appending(path: "dump").path
            let answer = fails ? Self.busy : Self.page
            var configuration = try Self.configuration(
                folder,
                """
                size 120x40
                wait tr-1
                type :watch tr-f
                \(fails ? "# no list" : "wait watch tr-found")
                key Esc
                type :view network
                key Enter
                type /op:SearchTrips
                key Enter
                wait 1 of
                key Enter
                wait \(fails ? "Try again." : "tr-found")
                dump \(dump)
                key Esc
                key q
                """,
                answering: Self.response(fails ? 503 : 200, answer)
            )
            let opening = try await ScreenOpening(configuration.output)
            configuration.recorder = try configuration.makeRecorder(on: opening)
            let outcome = try await SessionRunner(configuration: configuration)
                .run(ScreenOutput(opening, configuration))
            await Self.close(configuration)
            #expect(outcome == .done)
            let picture = try String(contentsOfFile: dump, encoding: .utf8)
            #expect(picture.contains("SearchTrips") && picture.contains("curl -sS -X POST"), "\(picture)")
            let searches = try Self.searches(in: configuration)
            #expect(searches.count == 1)
            let search = try #require(searches.first)
            #expect(search.isRequested && search.call?.cause == .requested)
            #expect(search.call?.answer?.body?.bytes == Array(answer.utf8))
            #expect(search.failure?.answer?.status == (fails ? "UNAVAILABLE" : nil))
        }
    }

    /// Passes a failed search to the session, and ends the session after it was shown.
    private struct Probe: SessionOutput {
        let isInteractive = true
        let inputs = AsyncChannel<SearchEvent>()
        let relay: SearchRelay
        let search: SearchEvent
        let shown = Shown()
        private var isOver = false

        final class Shown: Sendable {
            let searches = Mutex<[SearchEvent]>([])
            let warnings = Mutex<[String]>([])
        }

        init(_ relay: SearchRelay, _ search: SearchEvent) { (self.relay, self.search) = (relay, search) }

        mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {}
        mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {}
        mutating func update(_ search: SearchEvent, at now: Moment) {
            shown.searches.withLock { $0.append(search) }
            isOver = true
        }
        mutating func update(_ input: SearchEvent) { relay.pass(input) }
        mutating func warn(_ text: String) { shown.warnings.withLock { $0.append(text) } }
        func sendInputs() async { await inputs.send(search) }
        mutating func flush(to feed: TripFeed) async -> Result<CompletionTracker.Outcome, any Error>? {
            isOver ? .success(.done) : nil
        }
        func close() async -> CommandFailure? {
            inputs.finish()
            return nil
        }
    }

    private static let failed = SearchEvent(
        nil,
        started: Moment(wall: Date(timeIntervalSince1970: 1_773_470_100), steady: .seconds(1)),
        finished: Moment(wall: Date(timeIntervalSince1970: 1_773_470_101), steady: .seconds(2)),
        failure: .timedOut
    )

    @Test func `is an event of the session until its end, and lost afterwards`() async throws {
        try await Program.withFolder { folder in
            var configuration = try Self.configuration(folder, "pause 1\n", answering: Self.response(200, Self.page))
            let opening = try await ScreenOpening(configuration.output)
            configuration.recorder = try configuration.makeRecorder(on: opening)
            let probe = Probe(configuration.requestedSearches, Self.failed)
            configuration.requestedSearches.pass(Self.failed)
            let outcome = try await SessionRunner(configuration: configuration).run(probe)
            configuration.requestedSearches.pass(Self.failed)
            configuration.recorder?.flush()
            await Self.close(configuration)
            #expect(outcome == .done)
            #expect(probe.shown.searches.withLock(\.self) == [Self.failed.requested])
            #expect(probe.shown.warnings.withLock(\.self) == [], "the trips are followed all the same")
            var reader = try RecordingReader(
                bytes: Array(try Data(contentsOf: URL(filePath: configuration.recordingPath ?? "")))
            )
            var count = 0
            while let event = reader.next() { if case .search = event.content { count += 1 } }
            #expect(count == 1)
        }
    }

    @Test func `is no reason why a session fails`() throws {
        var output = Probe(SearchRelay(), Self.failed)
        for (search, fails) in [(Self.failed.requested, false), (Self.failed, true)] {
            var completion = CompletionTracker(goal: .end, trips: [], isOpen: true)
            let item = SessionItem(.search(search), at: search.finished)
            _ = SessionRunner.pass(item, [], JourneyTable(), to: &output, &completion)
            #expect((completion.timeout(JourneyTable()) == .searchFailed(.timedOut)) == fails)
        }
    }
}
