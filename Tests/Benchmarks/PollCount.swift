import Dispatch
import Foundation
import TransportLive
import TripFeed

/// Polls a server and does nothing else, so that valgrind can count the instructions.
enum PollCount {
    /// Makes polls of the server on a loopback port, on other threads than that of the caller.
    ///
    /// The main thread waits without serving tasks: for that, libdispatch suspends it with a read-only set of signals, into which
    /// valgrind writes.
    static func run(port: Int, polls: Int) {
        let isOver = DispatchSemaphore(value: 0)
        // It is awaited below.
        Task.detached {
            do {
                try await poll(port, times: polls)
            } catch {
                fatalError("\(error)")
            }
            isOver.signal()
        }
        isOver.wait()
    }

    private static func poll(_ port: Int, times count: Int) async throws {
        try await withLiveHTTPTransport { transport in
            try await FeedBenchmarks().withClient("http://127.0.0.1:\(port)", transport) { client, request in
                for _ in 0..<count {
                    let failure = await client.get(request).failure
                    precondition(failure == nil, "a poll failed")
                }
            }
        }
    }
}
