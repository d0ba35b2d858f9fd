import Foundation
import Testing
import TripTestSupport

/// Runs client, token provider and engine in one process, on virtual time, over a network with random failures.
///
/// A failure message has the seed and the command that repeats it alone. `TRIPSHARE_SEEDS` sets the number of seeds; without it,
/// there are more in continuous integration, because each takes about 70 ms of processor time.
@Suite("Simulation", .serialized, .ends(within: .adjustableTest))
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first: UInt64 = environment["TRIPSHARE_SEED"].flatMap(UInt64.init) ?? 1
    private static let count =
        environment["TRIPSHARE_SEED"] == nil
        ? environment["TRIPSHARE_SEEDS"].flatMap(UInt64.init) ?? (environment["CI"] == nil ? 200 : 500) : 1

    /// The seeds in parts, because a time limit is that of a part.
    private static let parts = stride(from: first, to: first + count, by: 50).map { $0..<min($0 + 50, first + count) }

    @Test(arguments: parts)
    func `every rule holds for every seed`(seeds: Range<UInt64>) async throws {
        var polls = 0
        for seed in seeds {
            try Task.checkCancellation()
            let outcome = try await Simulation.run(seed: seed)
            polls += outcome.polls
            // One broken seed is enough for a report.
            try #require(
                outcome.broken.isEmpty,
                """
                \(outcome.broken.prefix(5).joined(separator: "\n"))
                Run it alone: TRIPSHARE_SEED=\(seed) swift test --disable-xctest --filter SimulationTests
                """
            )
            if Self.count == 1 { for line in outcome.trace { print(line) } }
        }
        #expect(polls > seeds.count * 20)
    }

    @Test func `a seed always gives the same run`() async throws {
        // Every kind of seed: the last is of a project, too.
        for seed in 11...20 as ClosedRange<UInt64> {
            let first = try await Simulation.run(seed: seed)
            let second = try await Simulation.run(seed: seed)
            #expect(first.trace.count > 50)
            #expect(first.trace == second.trace)
        }
    }
}
