import Dispatch
import Foundation
import Synchronization

/// Why a wait of a test ended without what it waited for.
package struct WaitFailure: Error, CustomStringConvertible, Sendable {
    /// What was waited for and why the wait ended.
    package let description: String

    /// A failure with its words.
    package init(_ description: String) { self.description = description }

    /// Says it on standard error, where it can't be thrown.
    package func report() { FileHandle.standardError.write(Data("\(description)\n".utf8)) }
}

/// Something that changes, and the waits for it: the one way in which the helpers of tests wait.
///
/// A wait looks again with each change. It ends with a deadline, when its task is cancelled, as by a test's time limit, and when
/// its condition throws, as where a process has ended that would have had to do something.
package final class Changes: Sendable {
    private struct State {
        var count = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())

    /// Something that has not changed yet.
    package init() {}

    /// How many changes there were.
    package var count: Int { state.withLock(\.count) }

    /// Lets all waits look again.
    package func notify() {
        let waiters = state.withLock { state in
            state.count += 1
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Waits until something holds.
    ///
    /// - Parameters:
    ///   - what: What is waited for, as it is said where it does not come.
    ///   - limit: How long, in real time.
    ///   - isSo: Whether it holds; throws where it can't hold any more.
    /// - Throws: ``WaitFailure`` after the limit and in a cancelled task, and what the condition throws.
    package func wait(
        for what: @autoclosure () -> String,
        within limit: Duration = .patience,
        until isSo: () throws -> Bool
    ) async throws {
        let start = ContinuousClock.now
        while true {
            let seen = state.withLock(\.count)
            if try isSo() { return }
            if Task.isCancelled {
                throw WaitFailure("cancelled after \(Self.age(since: start)) of waiting for \(what())")
            }
            let left = limit - start.duration(to: .now)
            guard left > .zero else { throw WaitFailure("\(what()) did not come within \(Self.age(since: start))") }
            await change(after: seen, within: left)
        }
    }

    private static func age(since start: ContinuousClock.Instant) -> Duration {
        .seconds((start.duration(to: .now) / .seconds(1)).rounded())
    }

    /// Returns with the next change, or at once if there was one, or after a time, or when the task is cancelled.
    private func change(after seen: Int, within time: Duration) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let alarm = DispatchWorkItem { [self] in leave(id) }
        DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1), execute: alarm)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.count != seen || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            leave(id)
        }
        alarm.cancel()
    }

    private func leave(_ id: Int) { state.withLock { $0.waiters.removeValue(forKey: id) }?.resume() }
}
