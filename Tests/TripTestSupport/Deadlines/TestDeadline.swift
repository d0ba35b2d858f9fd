import Dispatch
import Foundation
package import Testing

/// Ends each test that takes too long.
///
/// The test is cancelled, which ends all waits by ``Changes`` and of structured tasks. If that does not help, for example
/// in an endless loop, the whole run ends with the name of the test.
///
/// The time limit of a suite applies to each test alone, and to each case of a test with arguments. At most eight tests run at
/// a time, and the time before a test's turn does not count. The tests of serialized suites go first: they are the longest
/// chains, which would otherwise run alone when everything else has ended.
package struct TestDeadline: TestTrait, SuiteTrait, TestScoping {
    /// How long a cancelled test may take to end.
    private static let grace = Duration.seconds(60)
    private static let queue = DispatchQueue(label: "tests that do not end")
    /// As in continuous integration: many more tests at a time would exceed their limits, because each would run slowly.
    private static let turns = Turns(width(in: ProcessInfo.processInfo.environment))
    /// Whether this task is part of a test that has its turn.
    @TaskLocal private static var hasTurn = false
    /// Whether this task is part of a suite whose tests run one after the other.
    @TaskLocal private static var isSerialized = false

    private let limit: Duration

    fileprivate init(_ limit: Duration) { self.limit = limit }

    /// Each test of a suite has the deadline, not all of them together.
    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite || testCase != nil ? self : nil
    }

    @concurrent package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        if test.isSuite {
            let isSerialized = Self.isSerialized || test.traits.contains { $0 is ParallelizationTrait }
            return try await Self.$isSerialized.withValue(isSerialized) { try await function() }
        }
        if Self.hasTurn { return try await end(test, function) }
        await Self.turns.acquire(goesFirst: Self.isSerialized)
        defer { Self.turns.giveBack() }
        try await Self.$hasTurn.withValue(true) { try await end(test, function) }
    }

    /// The number of tests at a time: at most eight, and fewer if the testing library was told so, as `CTestWidth.c` passes on.
    package static func width(in environment: [String: String]) -> Int {
        min(max(environment["TEST_WIDTH"].flatMap(Int.init) ?? 8, 1), 8)
    }

    /// Performs a test, or a part of it, within the limit.
    @concurrent private func end(
        _ test: Test,
        _ function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let words = "the test \(test.name) takes longer than \(limit / .seconds(60)) min"
        let end = DispatchWorkItem {
            FileHandle.standardError.write(Data("\(words) and can't be cancelled: the run ends\n".utf8))
            _exit(1)
        }
        Self.queue.asyncAfter(deadline: .now() + (limit + Self.grace) / .seconds(1), execute: end)
        defer { end.cancel() }
        let costs = TestCosts()
        defer { costs?.write(test) }
        try await withoutActuallyEscaping(function) { function in
            try await withThrowingTaskGroup(of: Event.self) { group in
                group.addTask {
                    try await function()
                    return .ended
                }
                group.addTask {
                    do { try await Task.sleep(for: limit) } catch { return .ended }
                    return .late
                }
                // The test's error, if it has one, leaves the loop and says what the test was waiting for.
                for try await event in group {
                    if event == .late { Issue.record("\(words)") }
                    group.cancelAll()
                }
            }
        }
    }

    private enum Event {
        case ended
        case late
    }
}

extension Trait where Self == TestDeadline {
    /// Each test ends within this time, whatever it does.
    package static func ends(within limit: Duration) -> Self { TestDeadline(limit) }
}

extension Duration {
    /// The limit of a test that computes for some seconds at most.
    ///
    /// The longest one takes 15 s beside seven other tests and other work of the machine.
    package static let quickTest = minutes(2)

    /// The limit of a test that starts programs, opens connections, or computes for longer.
    ///
    /// The longest one takes 75 s beside seven other tests and other work of the machine.
    package static let longTest = minutes(5)

    /// The limit of a test that an environment variable makes longer: more seeds, messages or ends of programs, or new recordings of
    /// all scenarios.
    ///
    /// Without one of them, it is that of every other long test.
    package static let adjustableTest: Duration = {
        let environment = ProcessInfo.processInfo.environment
        let names = ["TRIPSHARE_SEEDS", "SUDDEN_ENDS", "RANDOM_MESSAGES", "UPDATE_RECORDINGS"]
        let isLonger = names.contains { environment[$0] != nil }
        return isLonger ? minutes(60) : longTest
    }()

    /// A number of minutes.
    package static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }
}
