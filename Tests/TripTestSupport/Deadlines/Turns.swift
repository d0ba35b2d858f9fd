import Synchronization

/// A limited number of turns, granted in the order of the requests.
///
/// Requests that go first are granted before all others.
package final class Turns: Sendable {
    private struct State {
        var free: Int
        var first: [CheckedContinuation<Void, Never>] = []
        var others: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Creates this number of turns.
    package init(_ count: Int) { state = Mutex(State(free: count)) }

    /// The number of requests that wait.
    package var waiting: Int { state.withLock { $0.first.count + $0.others.count } }

    /// Waits for a turn.
    package func acquire(goesFirst: Bool = false) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                if goesFirst { state.first.append(continuation) } else { state.others.append(continuation) }
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Ends a turn, which the next request gets.
    package func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.first.isEmpty { return state.first.removeFirst() }
            if !state.others.isEmpty { return state.others.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
