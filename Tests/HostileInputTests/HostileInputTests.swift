import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Hostile input", .serialized, .ends(within: .longTest))
struct HostileInputTests {
    @Test func `processes and shows thousands of answers within limits of time, memory and bytes`() async throws {
        // In a process of its own: other tests would change its memory.
        try await SeparateProcess.run { try await HostileRun.check() }
    }
}

/// Follows trips of services that answer as no service should, and checks the bounds.
private enum HostileRun {
    /// Sessions of twenty polls: 100 in continuous integration and 40 elsewhere.
    ///
    /// `HOSTILE_SESSIONS` sets another number, `HOSTILE_SEED` repeats one of them.
    private static let environment = ProcessInfo.processInfo.environment

    private static var seeds: [UInt64] {
        if let seed = environment["HOSTILE_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let sessions = environment["HOSTILE_SESSIONS"].flatMap { UInt64($0) } ?? (environment["CI"] == nil ? 40 : 100)
        return (0..<sessions).map { 1_000_000 + $0 * 7919 }
    }

    /// The maximum memory growth of all sessions together, in bytes.
    private static let maximumGrowth = 200 << 20
    /// The maximum time from an answer to the screen.
    private static let maximumPoll = Duration.seconds(2)

    private static func run(_ seed: UInt64) async throws -> HostileSession.Measures {
        let session = try HostileSession(seed: seed)
        try await session.run()
        return session.measures
    }

    static func check() async throws {
        let before = try Resources(of: getpid()).resident
        var peak = before
        var all = HostileSession.Measures()
        for chunk in stride(from: 0, to: Self.seeds.count, by: 50) {
            let seeds = Self.seeds[chunk..<min(chunk + 50, Self.seeds.count)]
            for try await (seed, measures) in Self.runs(of: seeds) {
                var measures = measures
                if measures.longestPoll > Self.maximumPoll {
                    measures.complaints.append("seed \(seed): a poll took \(measures.longestPoll)")
                }
                all.add(measures)
            }
            peak = max(peak, try Resources(of: getpid()).resident)
        }
        for complaint in all.complaints.prefix(20) { Issue.record("HOSTILE_SEED: \(complaint)") }
        #expect(all.complaints.isEmpty)
        #expect(peak - before < Self.maximumGrowth)
        #expect(all.cases >= Self.seeds.count * HostileSession.polls)
        print(
            "Hostile input: \(all.cases) cases, \(all.frames) frames, longest poll \(all.longestPoll), longest frame",
            "\(all.longestFrame), largest frame \(all.largestFrame) bytes, memory \((peak - before) >> 20) MB more"
        )
    }

    /// Runs sessions, two at a time.
    private static func runs(
        of seeds: ArraySlice<UInt64>
    ) -> AsyncThrowingStream<(UInt64, HostileSession.Measures), any Error> {
        AsyncThrowingStream { continuation in
            // Not awaited: it ends by itself, and the stream is read to its end.
            Task {
                do {
                    try await withThrowingTaskGroup(of: (UInt64, HostileSession.Measures).self) { group in
                        var rest = seeds
                        for seed in rest.prefix(2) { group.addTask { (seed, try await run(seed)) } }
                        rest = rest.dropFirst(2)
                        for try await result in group {
                            continuation.yield(result)
                            if let seed = rest.popFirst() { group.addTask { (seed, try await run(seed)) } }
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
        }
    }
}
