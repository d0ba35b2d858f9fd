import FleetTokens
import HeapMemory
import TripModel

/// Measures the memory of a key and checks that keys that come and go leave nothing behind.
struct MemoryBenchmarks {
    let clock: SystemClock

    func run() async throws {
        say("\nMemory")
        guard let start = HeapMemory.resident() else { return say("  skipped: the system does not report it") }
        let count = 100_000
        let contexts = try (0..<count).map(MintingSource.context)
        let token = MintingSource.token(contexts[0], at: 0)
        let withKeys = HeapMemory.allocated() ?? 0
        let policy = try TokenPolicy(keyLimit: count)
        let provider = TokenProvider(source: MintingSource(clock: clock), clock: clock, policy: policy, seed: 1)
        for context in contexts { _ = try await provider.token(for: context) }
        let perKey = Double((HeapMemory.allocated() ?? 0) - withKeys) / Double(count)
        say("  \(count) keys, tokens of \(token.utf8.count) bytes: \(Int(perKey)) bytes per key, token included")
        let structure = perKey - Double(token.utf8.count)
        Figures.gate("structure per key, without the token's bytes", structure, atMost: 512, unit: "bytes")
        await provider.close()

        let small = TokenProvider(source: MintingSource(clock: clock), clock: clock, seed: 2)
        var sizes: [Int] = []
        for round in 0..<20 {
            for index in 0..<50_000 { _ = try await small.token(for: MintingSource.context(round * 50_000 + index)) }
            sizes.append(HeapMemory.resident() ?? 0)
        }
        let growth = Double(sizes[19] - sizes[0]) / 1e6
        say(
            "  1,000,000 churned keys, 10,000 retained: resident \(sizes.map { String($0 / 1_000_000) }.joined(separator: " ")) MB"
        )
        Figures.gate("growth from the first 50,000 to a million", growth, atMost: 0.5, unit: "MB")
        await small.close()
        say(
            "  resident before \(start / 1_000_000) MB, after everything is closed \((HeapMemory.resident() ?? 0) / 1_000_000) MB"
        )
    }
}
