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

@testable import tripshare

/// The session loop with an interactive output.
@Suite("Session runner", .ends(within: .longTest))
struct SessionRunnerTests {
    /// Records the calls of a session; sends inputs and ends the session with a given result.
    private struct Probe: SessionOutput {
        final class Calls: Sendable {
            let all = Mutex<[String]>([])
            /// Ends with the last trip.
            let trips = AsyncStream.makeStream(of: Void.self)

            func add(_ call: String) { all.withLock { $0.append(call) } }
        }

        let isInteractive = true
        let inputs = AsyncChannel<String>()
        let result: Result<CompletionTracker.Outcome, any Error>
        let calls = Calls()
        private var isOver = false

        init(_ result: Result<CompletionTracker.Outcome, any Error>) { self.result = result }

        mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
            guard case .ended = event else { return }
            calls.add("ended")
            calls.trips.continuation.finish()
        }

        mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {}

        mutating func update(_ input: String) {
            calls.add(input)
            isOver = input == "quit"
        }

        /// Sends inputs after the last trip has ended.
        func sendInputs() async {
            for await _ in calls.trips.stream {}
            for input in ["a", "b", "quit", "late"] { await inputs.send(input) }
        }

        mutating func flush(to feed: TripFeed) async -> Result<CompletionTracker.Outcome, any Error>? {
            isOver ? result : nil
        }

        func close() async -> CommandFailure? {
            calls.add("close")
            inputs.finish()
            return nil
        }
    }

    /// Lets the first answers arrive between two steps of the session loop, and records how late each poll is reported.
    private struct LateProbe: SessionOutput {
        final class Calls: Sendable {
            let lateness = Mutex<[Duration]>([])
            /// The feed of the session.
            let feed = Mutex<TripFeed?>(nil)
        }

        let isInteractive = false
        let inputs = AsyncChannel<Never>()
        let calls = Calls()
        /// Finished when the service may answer.
        let gate: AsyncStream<Void>.Continuation
        let trip: TripID

        mutating func update(_ event: FeedEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {
            guard case .polled(let report, _, _) = event else { return }
            calls.lateness.withLock { $0.append(now.steady - report.finished.steady) }
        }

        mutating func update(_ event: TokenEvent, _ changes: [JourneyChange], _ table: JourneyTable, at now: Moment) {}

        /// Waits until all polls are in the mailbox.
        mutating func dequeuePlayed() -> [SessionItem] {
            gate.finish()
            let deadline = ContinuousClock.now + .testTimeout
            while calls.feed.withLock({ $0?.over.contains(.trip(trip)) }) == false, ContinuousClock.now < deadline {
                sched_yield()
            }
            return []
        }

        mutating func flush(to feed: TripFeed) async -> Result<CompletionTracker.Outcome, any Error>? {
            calls.feed.withLock { $0 = feed }
            return nil
        }

        func sendInputs() async { inputs.finish() }
    }

    @Test func `no event is reported with a time before it happened`() async throws {
        let (answers, gate) = AsyncStream.makeStream(of: Void.self)
        let configuration = try Self.configuration(speed: 600) { for await _ in answers {} }
        let probe = LateProbe(gate: gate, trip: try TripID("t"))
        let outcome = try await SessionRunner(configuration: configuration).run(probe)
        await configuration.tokens.close()
        #expect(outcome == .done)
        let lateness = probe.calls.lateness.withLock(\.self)
        #expect(!lateness.isEmpty && lateness.allSatisfy { $0 >= .zero }, "\(lateness)")
    }

    /// The configuration of a session with a trip that is complete at the first poll.
    private static func configuration(
        speed: Double = 1,
        answerAfter wait: @escaping @Sendable () async -> Void = {}
    ) throws -> SessionConfiguration {
        let options = try SessionOptions.parse([])
        let clock = ScaledClock(speed: speed)
        let transport = HTTPTransport { _ async throws(Failure) in
            await wait()
            let body = #"{"name":"providers/p/trips/t","tripStatus":"COMPLETE"}"#
            return HTTPTransportResponse(status: 200, body: Array(body.utf8))
        }
        return SessionConfiguration(
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
    }

    @Test func `an interactive output stays open after the last trip until it ends the session`() async throws {
        let configuration = try Self.configuration()
        let probe = Probe(.success(.done))
        let outcome = try await SessionRunner(configuration: configuration).run(probe)
        await configuration.tokens.close()
        #expect(outcome == .done)
        #expect(probe.calls.all.withLock(\.self) == ["ended", "a", "b", "quit", "close"])
    }

    @Test func `the error of an output is thrown after the output was closed`() async throws {
        let configuration = try Self.configuration()
        let probe = Probe(.failure(DemoRestart(scenario: "traffic-jam")))
        let error = await #expect(throws: DemoRestart.self) {
            try await SessionRunner(configuration: configuration).run(probe)
        }
        await configuration.tokens.close()
        #expect(error?.scenario == "traffic-jam")
        #expect(probe.calls.all.withLock(\.self).last == "close")
    }
}
