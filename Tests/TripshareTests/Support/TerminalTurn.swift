import Testing
import TripTestSupport

/// Lets at most four suites at a time run programs on terminals, each suite one program at a time.
///
/// With more programs on two processors, working ones would respond so slowly that they would exceed the time limits, which are
/// meant for programs that hang. These programs mostly wait, so that fewer would leave the processors idle. The time limits of
/// a suite do not count while it waits.
struct TerminalTurn: SuiteTrait, TestScoping {
    private static let turns = Turns(4)

    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await Self.turns.acquire()
        defer { Self.turns.giveBack() }
        try await function()
    }
}

extension Trait where Self == TerminalTurn {
    /// The suite waits for its turn.
    static var terminalTurn: Self { Self() }
}
