import FleetTokens
import Foundation
import TripModel

/// Measures the memory of a key and checks that keys that come and go leave nothing behind.
struct MemoryBenchmarks {
    let clock: SystemClock

    func run() async throws {
        say("\nMemory")
        guard let start = resident() else { return say("  skipped: the system does not tell") }
        let count = 100_000
        let contexts = try (0..<count).map(MintingSource.context)
        let token = MintingSource.token(contexts[0], at: 0)
        let withKeys = allocated() ?? 0
        let policy = try TokenPolicy(keyLimit: count)
        let provider = TokenProvider(source: MintingSource(clock: clock), clock: clock, policy: policy, seed: 1)
        for context in contexts { _ = try await provider.token(for: context) }
        let perKey = Double((allocated() ?? 0) - withKeys) / Double(count)
        say("  \(count) keys, tokens of \(token.utf8.count) bytes: \(Int(perKey)) bytes per key, token included")
        let structure = perKey - Double(token.utf8.count)
        Figures.gate("structure per key, without the token's bytes", structure, atMost: 512, unit: "bytes")
        await provider.close()

        let small = TokenProvider(source: MintingSource(clock: clock), clock: clock, seed: 2)
        var sizes: [Int] = []
        for round in 0..<20 {
            for index in 0..<50_000 { _ = try await small.token(for: MintingSource.context(round * 50_000 + index)) }
            sizes.append(resident() ?? 0)
        }
        let growth = Double(sizes[19] - sizes[0]) / 1e6
        say(
            "  1,000,000 churned keys, 10,000 kept: resident \(sizes.map { String($0 / 1_000_000) }.joined(separator: " ")) MB"
        )
        Figures.gate("growth from the first 50,000 to a million", growth, atMost: 0.5, unit: "MB")
        await small.close()
        say(
            "  resident before \(start / 1_000_000) MB, after everything is closed \((resident() ?? 0) / 1_000_000) MB"
        )
    }

    /// The resident memory of the program in bytes after the heap has returned its free pages; `nil` except on Linux.
    private func resident() -> Int? {
        trimHeap()
        // Field 2 of statm is the resident size in pages of 4 KiB.
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
    }

    /// The allocated bytes, including the allocator's own data.
    ///
    /// Resident memory would also contain holes of varying size.
    ///
    /// It is `nil` except with glibc.
    private func allocated() -> Int? {
        // Swift does not import malloc_info.
        guard let symbol = unsafe dlsym(nil, "malloc_info") else { return nil }
        let info = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32).self)
        var text: UnsafeMutablePointer<CChar>?
        var count = 0
        guard let stream = unsafe open_memstream(&text, &count) else { return nil }
        _ = unsafe info(0, stream)
        _ = unsafe fclose(stream)
        defer { unsafe free(text) }
        // The totals come last. <total type="rest" count="12" size="345"/> is free, as is "fast"; "mmap" is in use.
        guard let text = unsafe text, let totals = unsafe String(cString: text).split(separator: "</heap>").last
        else { return nil }
        func size(_ element: String) -> Int {
            let rest = totals.firstRange(of: element).map { totals[$0.upperBound...] }
            return rest?.firstMatch(of: /size="([0-9]+)"/).flatMap { Int($0.1) } ?? 0
        }
        return size("<system type=\"current\"") - size("<total type=\"fast\"") - size("<total type=\"rest\"")
            + size("<total type=\"mmap\"")
    }

    /// Returns free pages to the system, so that only used memory is counted: glibc keeps free pages for later.
    private func trimHeap() {
        // Swift does not import malloc_trim.
        guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
        let trim = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
        _ = trim(0)
    }
}
