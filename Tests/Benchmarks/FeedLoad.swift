import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import TripFeed
import TripModel

/// Many trips at an interval of five seconds: how many polls are made, how late they are, and what they cost.
final class FeedLoad: Sendable {
    private struct State {
        var due: [JourneyID: Duration] = [:]
        var lateness: [Double] = []
        var polls = 0
        var failures = 0
        var isMeasuring = false
    }

    private static let warmUp = Duration.seconds(12)
    private static let duration = Duration.seconds(20)

    private let trips: [JourneyID]
    private let endpoint: ServiceEndpoint
    private let transport: HTTPTransport
    private let clock: SystemClock
    private let state = Mutex(State())

    init(trips count: Int, port: Int, transport: HTTPTransport, clock: SystemClock) throws {
        trips = try (0..<count).compactMap { try MintingSource.context($0).journey }
        endpoint = try ServiceEndpoint("http://127.0.0.1:\(port)")
        self.transport = transport
        self.clock = clock
    }

    func run() async throws {
        say("\n\(trips.count) trips at 5 s, answers replayed by another process")
        let before = Self.resident
        let tokens = TokenProvider(source: MintingSource(clock: clock), clock: clock, seed: 1)
        let feed = TripFeed(
            trips: trips,
            options: TripFeed.Options(
                provider: try ProviderID("p"),
                policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil),
                seed: 1
            ),
            client: FleetClient(endpoint: endpoint, tokens: tokens, transport: transport, clock: clock),
            clock: clock,
            report: { [self] in handle($0) }
        )
        let running = Task { await feed.run() }
        try await clock.sleep(until: clock.now().steady + Self.warmUp)
        state.withLock { $0.isMeasuring = true }
        let (cpu, start) = (CPUTime.own, ContinuousClock.now)
        try await clock.sleep(until: clock.now().steady + Self.duration)
        let seconds = (ContinuousClock.now - start).seconds
        let used = CPUTime.own - cpu
        let grown = Self.resident - before
        let result = state.withLock { state in
            state.isMeasuring = false
            return state
        }
        running.cancel()
        await running.value
        await tokens.close()
        let late = result.lateness.sorted()
        guard !late.isEmpty else { return say("  no poll came back") }
        say(
            "  polls per second        \(Int(Double(result.polls) / seconds)) of \(trips.count / 5), \(result.failures) failed"
        )
        say("  late, p50 and p99       \(text(late[late.count / 2])) ms, \(text(late[late.count * 99 / 100])) ms")
        say("  memory per trip         \(grown / trips.count) bytes")
        say(
            "  processor               \(text(used / seconds * 100)) % of one core, \(text(used / Double(result.polls) * 1e6)) µs a poll"
        )
    }

    private func handle(_ event: FeedEvent) {
        guard case .polled(let report, _, let schedule) = event else { return }
        state.withLock { state in
            if state.isMeasuring {
                state.polls += 1
                if report.failure != nil { state.failures += 1 }
                if let due = state.due[report.journey] {
                    state.lateness.append((report.started.steady - due).seconds * 1000)
                }
            }
            state.due[report.journey] = schedule.next
        }
    }

    private func text(_ value: Double) -> String { String(format: "%.1f", value) }

    /// The resident memory of the program in bytes; 0 if the system does not report it.
    static var resident: Int {
        // Field 2 of statm is the resident size in pages of 4 KiB.
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}
