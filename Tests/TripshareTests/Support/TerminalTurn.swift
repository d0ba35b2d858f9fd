import Testing
import TripTestSupport

/// Lets at most three suites at a time run programs on terminals, each suite one program at a time.
///
/// All tests start at once. Dozens of programs on two processors would respond so slowly that working programs would
/// exceed the time limits, which are meant for programs that hang. The time limits of a suite do not count while it
/// waits.
struct TerminalTurn: SuiteTrait, TestScoping {
    private static let turns = Turns(3)

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
