import Failures
import FleetTokens
import Foundation
import Runtime
import TripModel

/// Measures the token provider.
///
/// Times are nanoseconds per call over all tasks together.
struct TokenBenchmarks {
    private static let rounds = 9
    private static let calls = 200_000
    private let clock = SystemClock()

    /// The parts in their order.
    ///
    /// Memory is first, while the heap contains no leftovers of other parts.
    static let parts = ["memory", "hits", "herd", "claims", "signatures"]

    func run(_ part: String) async throws {
        switch part {
        case "memory": try await MemoryBenchmarks(clock: clock).run()
        case "hits": try await hits()
        case "herd": try await herd()
        case "claims": try await ClaimsBenchmarks(clock: clock).run()
        default: try await SigningBenchmarks(clock: clock).run()
        }
    }

    // MARK: Hits

    private func hits() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover in the temporary folder does no harm
        let go = try GoPeer(in: folder)
        if go == nil { say("Go's side is skipped: install golang-go and golang-golang-x-oauth2-dev.") }
        var providers: [(count: Int, provider: TokenProvider, contexts: [AuthorizationContext])] = []
        for count in [1, 10_000] {
            let provider = TokenProvider(source: MintingSource(clock: clock), clock: clock, seed: 1)
            let contexts = try (0..<count).map(MintingSource.context)
            for context in contexts { _ = try await provider.token(for: context) }
            providers.append((count, provider, contexts))
        }
        var figures = Figures()
        for _ in 0..<Self.rounds {
            try go?.measure(into: &figures)
            figures.add("reading the clocks", await repeated(1) { _ in clock.now().steady > .zero })
            for tasks in [1, 2] {
                for (count, provider, contexts) in providers {
                    let time = await repeated(tasks) { provider.cached(for: contexts[$0 % contexts.count]) != nil }
                    figures.add("cached, \(count) keys, \(tasks) task(s)", time)
                }
            }
        }
        for (_, provider, _) in providers { await provider.close() }
        say("A cached token, ns per call, medians of \(Self.rounds) interleaved rounds")
        figures.print(unit: "ns")
        for count in [1, 10_000] {
            figures.gate(
                "cached / Go RWMutex+map, \(count) keys, 1 task",
                "cached, \(count) keys, 1 task(s)",
                over: "Go RWMutex+map of \(count) keys, 1 task(s)",
                atMost: 1.5
            )
        }
    }

    /// Nanoseconds per call of a body, which is called with numbers far apart from each other.
    private func repeated(_ tasks: Int, _ body: @escaping @Sendable (Int) -> Bool) async -> Double {
        let calls = Self.calls
        let time = await nanoseconds {
            await withTaskGroup(of: Int.self) { group in
                for task in 0..<tasks {
                    group.addTask {
                        var index = task
                        var found = 0
                        for _ in 0..<calls / tasks {
                            index += 7919
                            if body(index) { found += 1 }
                        }
                        return found
                    }
                }
                for await found in group { precondition(found == calls / tasks) }
            }
        }
        return time / Double(calls)
    }

    // MARK: Simultaneous callers

    private func herd() async throws {
        var figures = Figures()
        for round in 0..<Self.rounds {
            let source = GatedSource(MintingSource(clock: clock))
            let provider = TokenProvider(source: source, clock: clock, seed: UInt64(round))
            let context = try MintingSource.context(0)
            let callers = (0..<10_000).map { _ in
                Task.immediate { () async -> Bool in
                    do throws(TokenError) {
                        _ = try await provider.token(for: context)
                        return true
                    } catch {
                        return false
                    }
                }
            }
            let time = await nanoseconds {
                source.open()
                for caller in callers {
                    let isServed = await caller.value
                    precondition(isServed)
                }
            }
            precondition(provider.status(of: context).fetches == 1)
            figures.add("the fetch ends to the last caller served", time / 1e6)
            await provider.close()
        }
        say("\n10,000 callers on one key, one fetch")
        figures.print(unit: "ms")
        Figures.gate(
            "all are back",
            figures.median("the fetch ends to the last caller served") ?? 0,
            atMost: 60,
            unit: "ms"
        )
    }
}

/// A source that waits until its gate is opened.
private struct GatedSource: TokenSource {
    let name = "benchmark"
    private let source: MintingSource
    private let gate = AsyncStream.makeStream(of: Void.self)

    init(_ source: MintingSource) { self.source = source }

    func open() { gate.continuation.finish() }

    func fetch(_ context: AuthorizationContext, reason: FetchReason) async throws(Failure) -> IssuedToken {
        for await _ in gate.stream {}
        return try await source.fetch(context, reason: reason)
    }
}
