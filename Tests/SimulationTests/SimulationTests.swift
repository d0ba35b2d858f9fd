import Foundation
import Testing
import TripTestSupport

/// Runs client, token provider and engine in one process, on virtual time, over a network with random failures.
///
/// A failure message has the seed and the command that repeats it alone. `TRIPSHARE_SEEDS` sets the number of seeds; without it,
/// there are more in continuous integration, because each takes about 20 ms of processor time.
@Suite("Simulation", .serialized, .ends(within: .adjustableTest))
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first: UInt64 = environment["TRIPSHARE_SEED"].flatMap(UInt64.init) ?? 1
    private static let count =
        environment["TRIPSHARE_SEED"] == nil
        ? environment["TRIPSHARE_SEEDS"].flatMap(UInt64.init) ?? (environment["CI"] == nil ? 200 : 500) : 1

    /// The number of parallel runs, each on a thread of its own.
    ///
    /// One, because more slowed down the other tests of the process.
    private static let width: UInt64 = 1

    @Test func `every rule holds for every seed`() async throws {
        var polls = 0
        let began = ContinuousClock.now
        try await withThrowingTaskGroup(of: (UInt64, Simulation.Outcome).self) { group in
            var next = Self.first
            for _ in 0..<min(Self.width, Self.count) { Self.start(&next, in: &group) }
            while let (seed, outcome) = try await group.next() {
                polls += outcome.polls
                #expect(
                    outcome.broken.isEmpty,
                    """
                    \(outcome.broken.prefix(5).joined(separator: "\n"))
                    Run it alone: TRIPSHARE_SEED=\(seed) swift test --disable-xctest --filter SimulationTests
                    """
                )
                if Self.count == 1 { for line in outcome.trace { print(line) } }
                // One broken seed is enough for a report.
                guard outcome.broken.isEmpty else { return }
                if next < Self.first + Self.count { Self.start(&next, in: &group) }
            }
        }
        #expect(polls > Int(Self.count) * 20)
        print("\(Self.count) seeds, \(polls) polls in \(ContinuousClock.now - began)")
    }

    private static func start(
        _ seed: inout UInt64,
        in group: inout ThrowingTaskGroup<(UInt64, Simulation.Outcome), any Error>
    ) {
        let number = seed
        group.addTask { (number, try await Simulation.run(seed: number)) }
        seed += 1
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
