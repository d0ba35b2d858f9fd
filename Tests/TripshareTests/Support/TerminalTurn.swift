import Synchronization
import Testing

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

/// A limited number of turns, granted in the order of the requests.
private final class Turns: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    func acquire() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty { state.free += 1 }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
