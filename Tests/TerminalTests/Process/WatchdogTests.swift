import Foundation
import Runtime
import Synchronization
import Terminal
import Testing
import TripTestSupport

@Suite("Watchdog", .ends(within: .quickTest))
struct WatchdogTests {
    /// The arguments with which a watchdog would have ended the process.
    private struct End: Sendable, Equatable {
        var reason: Watchdog.Reason
        var code: Int32?
    }

    private static func watchdog(timeout: Duration? = nil, grace: Duration) -> (Watchdog, AsyncStream<End>) {
        let (ends, continuation) = AsyncStream.makeStream(of: End.self)
        let watchdog = Watchdog(timeout: timeout, grace: grace) { reason, code in
            continuation.yield(End(reason: reason, code: code))
            continuation.finish()
        }
        return (watchdog, ends)
    }

    private static func first(_ ends: AsyncStream<End>) async -> End? {
        for await end in ends { return end }
        return nil
    }

    @Test func `ends the process shortly after a signal`() async {
        let (watchdog, ends) = Self.watchdog(grace: .milliseconds(10))
        watchdog.receive(signal: 15)
        let end = await Self.first(ends)
        #expect(end == End(reason: .signal(15)))
    }

    @Test func `ends the process shortly after the timeout`() async {
        let (_, ends) = Self.watchdog(timeout: .milliseconds(10), grace: .milliseconds(10))
        let end = await Self.first(ends)
        #expect(end == End(reason: .timeout))
    }

    @Test func `retains the exit code of a session that can't clean up`() async {
        let (watchdog, ends) = Self.watchdog(grace: .milliseconds(300))
        watchdog.receive(signal: 2)
        watchdog.sessionEnded(code: 130)
        let end = await Self.first(ends)
        #expect(end == End(reason: .signal(2), code: 130))
    }

    @Test func `a signal ends the time that a session was given for its cleanup`() async {
        let (watchdog, ends) = Self.watchdog(timeout: .zero, grace: .milliseconds(10))
        watchdog.sessionEnded(code: 69, allowing: .seconds(3600))
        watchdog.receive(signal: 2)
        let end = await Self.first(ends)
        #expect(end == End(reason: .timeout, code: 69))
    }

    @Test func `the first reason counts`() async {
        let (watchdog, ends) = Self.watchdog(timeout: .seconds(3600), grace: .milliseconds(10))
        watchdog.receive(signal: 1)
        watchdog.receive(signal: 15)
        let end = await Self.first(ends)
        #expect(end == End(reason: .signal(1)))
    }

    @Test func `a session that ended before its timeout has unlimited time to clean up`() async throws {
        let ended = Mutex(false)
        let watchdog = Watchdog(timeout: .seconds(1), grace: .milliseconds(1)) { _, _ in
            ended.withLock { $0 = true }
        }
        watchdog.sessionEnded(code: 0)
        // Another watchdog with the same times shows when this one would have acted.
        let (_, others) = Self.watchdog(timeout: .seconds(1), grace: .milliseconds(50))
        let other = await Self.first(others)
        #expect(other != nil)
        #expect(!ended.withLock { $0 })
        watchdog.dismiss()
    }
}
