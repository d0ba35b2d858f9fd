import ArgumentParser
import AsyncAlgorithms
import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// The end of a session whose receiver is slow, with an interactive output.
@Suite("The end of a session with notices", .serialized, .ends(within: .longTest))
struct NoticeEndTests {
    /// What the receiver does with a post.
    private enum Receiver { case accepts, neverAnswers }

    /// Records the calls of a session; quits after the last trip, and again while notices are delivered.
    private struct Probe: SessionOutput {
        final class Calls: Sendable {
            private let all = Mutex<[String]>([])
            /// Ends with the last trip.
            let trips = AsyncStream.makeStream(of: Void.self)
            /// Ends when notices are awaited.
            let ending = AsyncStream.makeStream(of: Void.self)

            /// The calls; one that repeats the call before it counts once.
            var list: [String] { all.withLock(\.self) }

            func add(_ call: String) { all.withLock { if $0.last != call { $0.append(call) } } }
        }

        let isInteractive = true
        let inputs = AsyncChannel<String>()
        let result: CompletionTracker.Outcome
        let calls = Calls()
        private var isOver = false

        init(_ result: CompletionTracker.Outcome) { self.result = result }

        mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
            guard case .ended = event else { return }
            calls.trips.continuation.finish()
        }

        mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {}

        mutating func update(_ input: String) { isOver = true }

        mutating func update(_ progress: NoticeProgress) {
            guard case .ending(let count, _) = progress, count > 0 else { return }
            calls.add("awaits \(count)")
            calls.ending.continuation.finish()
        }

        mutating func warn(_ text: String) { calls.add(text) }

        mutating func conclude() { calls.add("page") }

        func sendInputs() async {
            for await _ in calls.trips.stream {}
            await inputs.send("quit")
            for await _ in calls.ending.stream {}
            await inputs.send("quit")
        }

        mutating func flush(to feed: TripFeed) async -> Result<CompletionTracker.Outcome, any Error>? {
            defer { isOver = false }
            return isOver ? .success(result) : nil
        }

        func close() async -> CommandFailure? {
            calls.add("close")
            inputs.finish()
            return nil
        }

        func show(_ summary: NoticeSummary, at now: Moment) {
            calls.add("\(summary.delivered) of \(summary.total), \(summary.waiting) wait")
        }
    }

    /// The configuration of a session with a trip that is complete at the first poll, and a receiver of its end.
    private static func configuration(_ receiver: Receiver) throws -> SessionConfiguration {
        let options = try SessionOptions.parse([])
        let clock = ScaledClock(speed: 1)
        let transport = HTTPTransport { request async throws(Failure) in
            guard request.url.hasPrefix("https://ops.example/") else {
                let body = #"{"name":"providers/p/trips/t","tripStatus":"COMPLETE"}"#
                return HTTPTransportResponse(status: 200, body: Array(body.utf8))
            }
            switch receiver {
            case .accepts: return HTTPTransportResponse(status: 204, body: [])
            case .neverAnswers:
                // Ends when it is cancelled.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                throw .timedOut
            }
        }
        var configuration = SessionConfiguration(
            options,
            Settings(),
            output: OutputConfiguration(options, try DisplayOptions.parse([]), Settings()),
            trips: [try .trip(TripID("t"))],
            provider: try ProviderID("p"),
            endpoint: try ServiceEndpoint("http://127.0.0.1:1"),
            tokens: (
                ScriptedTokenSource { .token(FakeToken($0.context, issuedAt: clock.now().wall).issued) }, .standard
            ),
            transport: transport,
            clock: clock,
            seed: 1
        )
        let end = try NoticeTrigger(parsing: "end")
        configuration.notices = [
            NoticeReceiver(triggers: [end], action: .webhook(Webhook(url: "https://ops.example/")))
        ]
        configuration.noticeWait = .seconds(3600)
        return configuration
    }

    /// Runs a session with a folder as its home; returns what was called.
    private static func run(
        _ receiver: Receiver,
        in folder: URL,
        result: CompletionTracker.Outcome = .done
    ) async throws -> [String] {
        let context = ProcessContext(
            environment: ["HOME": folder.path],
            localizer: .english,
            write: { _, _ in },
            ownsProcess: false
        )
        return try await ProcessContext.$current.withValue(context) {
            let configuration = try configuration(receiver)
            let probe = Probe(result)
            let outcome = try await SessionRunner(configuration: configuration).run(probe) { _ in
                probe.calls.add("report")
            }
            await configuration.tokens.close()
            #expect(outcome == result)
            return probe.calls.list
        }
    }

    @Test func `writes its files, then awaits notices, and leaves them for later at the second key`() async throws {
        try await Program.withFolder { folder in
            let calls = try await Self.run(.neverAnswers, in: folder)
            #expect(calls == ["report", "page", "awaits 1", "close", "0 of 1, 1 wait"])
        }
    }

    @Test func `awaits nothing after a signal`() async throws {
        try await Program.withFolder { folder in
            let calls = try await Self.run(.neverAnswers, in: folder, result: .interrupted(SIGTERM))
            #expect(calls == ["report", "page", "close", "0 of 1, 1 wait"])
        }
    }

    @Test func `ends by itself when all is delivered`() async throws {
        try await Program.withFolder { folder in
            let calls = try await Self.run(.accepts, in: folder).filter { !$0.hasPrefix("awaits") }
            #expect(calls == ["report", "page", "close", "1 of 1, 0 wait"])
        }
    }

    @Test func `the next session says what waits, and delivers it`() async throws {
        try await Program.withFolder { folder in
            _ = try await Self.run(.neverAnswers, in: folder, result: .interrupted(SIGINT))
            let calls = try await Self.run(.accepts, in: folder).filter { !$0.hasPrefix("awaits") }
            #expect(
                calls == [
                    "1 notice of an earlier session waits; it is sent first", "report", "page", "close",
                    "2 of 2, 0 wait",
                ]
            )
        }
    }
}
