import Dispatch
import Foundation
import Synchronization
package import Testing
import TripModel

/// Ends each test that takes too long.
///
/// The test is cancelled, which ends all waits by ``Changes`` and of structured tasks. If that does not help, for example
/// in an endless loop, the whole run ends with the name of the test.
///
/// The time limit of a suite applies to each test alone, and to each case of a test with arguments.
package struct TestDeadline: TestTrait, SuiteTrait, TestScoping {
    /// How long a cancelled test may take to end.
    private static let grace = Duration.seconds(60)
    private static let queue = DispatchQueue(label: "tests that do not end")

    private let limit: Duration

    fileprivate init(_ limit: Duration) { self.limit = limit }

    /// Each test of a suite has the deadline, not all of them together.
    package var isRecursive: Bool { true }

    @concurrent package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let words = "the test \(test.name) takes longer than \(limit / .seconds(60)) min"
        let isLate = Locked(false)
        let end = DispatchWorkItem {
            FileHandle.standardError.write(Data("\(words) and can't be cancelled: the run ends\n".utf8))
            _exit(1)
        }
        Self.queue.asyncAfter(deadline: .now() + (limit + Self.grace) / .seconds(1), execute: end)
        defer { end.cancel() }
        try await unsafe withUnsafeCurrentTask { task in
            let task = unsafe TaskReference(task: task)
            let cancel = DispatchWorkItem {
                isLate.withLock { $0 = true }
                unsafe task.task?.cancel()
            }
            Self.queue.asyncAfter(deadline: .now() + limit / .seconds(1), execute: cancel)
            defer {
                cancel.cancel()
                // A timer block that has begun has finished when this returns; afterwards the task must not be used.
                Self.queue.sync {}
                if isLate.withLock(\.self) { Issue.record("\(words)") }
            }
            // The test's error, if it has one, says what it was waiting for.
            try await function()
        }
    }

    /// The task of a test, which may be cancelled from any thread while the test runs.
    @unsafe private struct TaskReference: @unchecked Sendable {
        let task: UnsafeCurrentTask?
    }
}

extension Trait where Self == TestDeadline {
    /// Each test ends within this time, whatever it does.
    package static func ends(within limit: Duration) -> Self { TestDeadline(limit) }
}

extension Duration {
    /// A number of minutes.
    package static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }
}
