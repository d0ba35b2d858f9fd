package import Failures
package import FleetTokens
import Runtime
import Synchronization
import TripModel

/// A token source that a test answers by hand or by a script.
///
/// It records the fetches.
package final class ScriptedTokenSource: TokenSource {
    /// The answer to a fetch.
    package enum Answer: Sendable {
        /// A token, at once.
        case token(IssuedToken)
        /// A failure, at once.
        case failure(Failure)
        /// No answer until the test calls ``open(_:with:)``. Cancellation ends the fetch with `cancelled`.
        case gate
        /// No answer until the test calls ``open(_:with:)``, even if the fetch is cancelled.
        case stubbornGate
    }

    /// A fetch.
    package struct Fetch: Sendable, Equatable {
        /// 1, 2, 3, … over all keys.
        package var number: Int
        /// The trip or vehicle of the fetch.
        package var context: AuthorizationContext
        /// The reason of the fetch.
        package var reason: FetchReason
    }

    private typealias Outcome = Result<IssuedToken, Failure>

    private struct State {
        var fetches: [Fetch] = []
        var open: [Int: CheckedContinuation<Outcome, Never>] = [:]
        var openedEarly: [Int: Outcome] = [:]
        var cancelled: Set<Int> = []
        var inFlight = 0
        var mostInFlight = 0
    }

    package let name = "script"
    private let script: @Sendable (Fetch) -> Answer
    private let state = Locked(State())
    private let changes = Changes()

    /// A source that answers as the closure says.
    package init(_ script: @escaping @Sendable (Fetch) -> Answer) { self.script = script }

    /// All fetches so far, in order.
    package var fetches: [Fetch] { state.withLock { $0.fetches } }

    /// The numbers of the fetches whose task was cancelled while they waited at a gate.
    package var cancelled: Set<Int> { state.withLock { $0.cancelled } }

    /// The largest number of fetches that were in flight at the same time.
    package var mostInFlight: Int { state.withLock { $0.mostInFlight } }

    package func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason
    ) async throws(Failure) -> IssuedToken {
        let fetch = state.withLock { state in
            let fetch = Fetch(number: state.fetches.count + 1, context: context, reason: reason)
            state.fetches.append(fetch)
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
            return fetch
        }
        changes.notify()
        defer { state.withLock { $0.inFlight -= 1 } }
        switch script(fetch) {
        case .token(let token): return token
        case .failure(let error): throw error
        case .gate: return try await wait(at: fetch.number, cancellable: true).get()
        case .stubbornGate: return try await wait(at: fetch.number, cancellable: false).get()
        }
    }

    private func wait(at number: Int, cancellable: Bool) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    if let early = state.openedEarly.removeValue(forKey: number) { return early }
                    if cancellable, state.cancelled.contains(number) { return .failure(.sourceCancelled) }
                    state.open[number] = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancelled.insert(number)
                return cancellable ? state.open.removeValue(forKey: number) : nil
            }
            continuation?.resume(returning: .failure(.sourceCancelled))
            changes.notify()
        }
    }

    /// Ends a waiting fetch with a token.
    package func open(_ number: Int, with token: IssuedToken) { open(number, .success(token)) }

    /// Ends a waiting fetch with a failure.
    package func open(_ number: Int, failing error: Failure) { open(number, .failure(error)) }

    private func open(_ number: Int, _ outcome: Outcome) {
        let continuation = state.withLock { state in
            let continuation = state.open.removeValue(forKey: number)
            if continuation == nil { state.openedEarly[number] = outcome }
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// Waits until there have been at least this many fetches.
    package func fetches(atLeast count: Int) async {
        await wait(for: "\(count) fetches") { $0.fetches.count >= count }
    }

    /// Waits until at least this many fetches were cancelled at their gates.
    package func cancellations(atLeast count: Int) async {
        await wait(for: "\(count) cancelled fetches") { $0.cancelled.count >= count }
    }

    /// Waits.
    ///
    /// A timeout is printed on standard error, and the test continues.
    private func wait(for what: String, until isReached: (borrowing State) -> Bool) async {
        do {
            try await changes.wait(for: what) { state.withLock { isReached($0) } }
        } catch let failure as WaitFailure {
            failure.report()
        } catch {
            // The condition throws no error.
        }
    }
}
