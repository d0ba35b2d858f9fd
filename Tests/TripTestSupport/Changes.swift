import Dispatch
import Foundation
import Synchronization

/// The reason why a wait in a test ended without the expected condition.
package struct WaitFailure: Error, CustomStringConvertible, Sendable {
    /// What was waited for and why the wait ended.
    package let description: String

    /// A failure with this description.
    package init(_ description: String) { self.description = description }

    /// Prints the failure on standard error where it can't be thrown.
    package func report() { FileHandle.standardError.write(Data("\(description)\n".utf8)) }
}

/// A changing value and the waits for it.
///
/// All helpers of tests wait this way.
///
/// A wait checks its condition again after each change. It ends at its deadline, when its task is cancelled (for example
/// by a test's time limit), and when its condition throws (for example because a process has ended that should have done
/// something).
package final class Changes: Sendable {
    private struct State {
        var count = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())

    /// A value that has not changed yet.
    package init() {}

    /// The number of changes so far.
    package var count: Int { state.withLock(\.count) }

    /// Makes all waits check their condition again.
    package func notify() {
        let waiters = state.withLock { state in
            state.count += 1
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Waits until a condition is true.
    ///
    /// - Parameters:
    ///   - what: The description of the condition for the failure.
    ///   - limit: The longest wait, in real time.
    ///   - interval: How often the condition is checked without a change; `nil` for never.
    ///   - isSo: The condition. It throws when it can't become true any more.
    /// - Throws: ``WaitFailure`` after the limit and in a cancelled task, and any error of the condition.
    package func wait(
        for what: @autoclosure () -> String,
        within limit: Duration = .testTimeout,
        checkedEvery interval: Duration? = nil,
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
            await change(after: seen, within: min(left, interval ?? left))
        }
    }

    private static func age(since start: ContinuousClock.Instant) -> Duration {
        .seconds((start.duration(to: .now) / .seconds(1)).rounded())
    }

    /// Returns after the next change, at once if there was one already, after a timeout, or when the task is cancelled.
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
